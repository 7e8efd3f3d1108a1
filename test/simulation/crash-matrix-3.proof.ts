import { crashMatrix } from './crash-matrix-part.ts';

crashMatrix(3);
