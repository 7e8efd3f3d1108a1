import { buildReference } from '../../infra/reference/build-reference.ts';

/** Global setup: builds the reference files served by functions. */
export default function setup() {
  buildReference();
}
