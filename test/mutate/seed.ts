import fc from 'fast-check';

// Property tests try the same values for each mutant, so that a score reflects the tests rather than luck.
fc.configureGlobal({ seed: 1 });
