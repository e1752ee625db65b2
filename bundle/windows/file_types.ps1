# NOT TRIED. Lets this user's Explorer offer Armature for its files, and open .mcap, .urdf and .xacro with it: run it in the program's
# folder, `.\file_types.ps1`; `.\file_types.ps1 -Remove` takes it out again. Nothing that another program opens by default is changed.
param([switch]$Remove)
$ErrorActionPreference = "Stop"
$program = Join-Path $PSScriptRoot "armaturew.exe"
$classes = "HKCU:\Software\Classes"
$own = ".mcap", ".urdf", ".xacro"
$offered = ".toml", ".csv", ".npz", ".mat"

if ($Remove) {
    Remove-Item "$classes\Armature.File", "$classes\Applications\armaturew.exe" -Recurse -ErrorAction SilentlyContinue
    foreach ($suffix in $own + $offered) {
        Remove-ItemProperty "$classes\$suffix\OpenWithProgids" "Armature.File" -ErrorAction SilentlyContinue
    }
    return
}
foreach ($key in "Armature.File", "Applications\armaturew.exe") {
    New-Item "$classes\$key\shell\open\command" -Force -Value "`"$program`" `"%1`"" | Out-Null
    New-Item "$classes\$key\DefaultIcon" -Force -Value "`"$program`",0" | Out-Null
}
foreach ($suffix in $own + $offered) {
    New-Item "$classes\$suffix\OpenWithProgids" -Force | Out-Null
    New-ItemProperty "$classes\$suffix\OpenWithProgids" "Armature.File" -Value "" -Force | Out-Null
}
