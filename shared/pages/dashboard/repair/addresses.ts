import { OPERATOR_REPAIR } from '../addresses.ts';

export const DEAD_LETTERS = OPERATOR_REPAIR;
export const DOCTOR = `${OPERATOR_REPAIR}/doctor`;
export const OPERATOR_AUDIT = `${OPERATOR_REPAIR}/audit`;
