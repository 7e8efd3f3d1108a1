import { buildReference } from '../../infra/reference/build-reference.ts';

/** Global setup: builds the API reference files that functions serve. */
export default function setup() {
  buildReference();
}
