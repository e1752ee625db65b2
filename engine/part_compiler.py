"""Routines that only kernels call are compiled as far as these need it: no machine code of their own, no way in from Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.types import Dispatcher, Type


class _NoEngine:
    """Where there is no machine code, there is none that could look for its environment."""

    @staticmethod
    def set_env(name, environment):
        pass


class PartLibrary(JITCodeLibrary):
    """LLVM code that callers take in, tidied up; loops are made fast there, where it is known what they are called with."""

    codegen = _NoEngine

    def _optimize_final_module(self):
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=self._codegen._opt_level, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self):
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self):
        """What `part_of` makes this of again."""
        return self.serialize_using_bitcode()


class KernelCompiler(Compiler):
    """The pipeline of numba; what it compiles besides the kernel itself, routines of its own too, becomes a `PartLibrary`."""

    def _compile_core(self):
        state = self.state
        codegen = state.targetctx.codegen()
        state.library = JITCodeLibrary(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        with _parts_only(codegen):
            return super()._compile_core()


@contextmanager
def _parts_only(codegen) -> Iterator[None]:
    """New libraries are parts; numba's lock, which is held while it compiles, keeps other code's away."""
    codegen._library_class = PartLibrary
    try:
        yield
    finally:
        del codegen._library_class


class PartCompiler(Compiler):
    """The pipeline of numba that ends with a `PartLibrary`."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def _compile_core(self):
        state = self.state
        state.library = PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        result = super()._compile_core()
        result = result._replace(entry_point=_key(result.fndesc))
        state.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        return result


class LeanCompiler(PartCompiler):
    """A part that counts no references to arrays: numba lets it make none, here it can hand none back, nor be handed one."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.nrt = False
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def _compile_core(self):
        result, state = super()._compile_core(), self.state
        returned, name = result.signature.return_type, result.fndesc.qualname
        if self._is_counted(returned):
            raise TypeError(f"{name} hands back {returned}, to which it counts no reference")
        for call, signature in state.calltypes.items():
            calls = getattr(call, "op", "") == "call" and isinstance(state.typemap[call.func.name], Dispatcher)
            if calls and self._is_counted(signature.return_type):
                raise TypeError(f"{name} is handed {signature.return_type}, to which it counts no reference")
        return result

    def _is_counted(self, kind: Type) -> bool:
        return self.state.targetctx.data_model_manager[kind].contains_nrt_meminfo()


def part_of(target_context, kept, fndesc, environment, signature, objectmode, lifted, annotation, reload_init, environments):
    """The part that was kept: the counterpart of `CompileResult._reduce`."""
    name, _, bitcode = kept
    library = PartLibrary(target_context.codegen(), name)
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    return compile_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=_key(fndesc),
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=fndesc,
        library=library,
        environment=environment,
        reload_init=reload_init,
        referenced_envs=environments,
    )


kernel_of = CompileResult._rebuild
"""The kernel that was kept, with its machine code."""


def _key(fndesc):
    """What numba finds the part by: it has to be a builtin function, one per part, and is not called."""
    return fndesc.mangled_name.index
