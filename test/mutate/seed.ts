import fc from 'fast-check';

// Properties try the same values over each mutant, so that a score says something about the tests and not about luck.
fc.configureGlobal({ seed: 1 });
