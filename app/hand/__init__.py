"""Moving the arm by its hand: what the joints do when the tool is wanted elsewhere. Numbers only, no Qt, no GL."""
