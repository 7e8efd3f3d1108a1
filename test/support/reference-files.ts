import { buildReference } from '../../infra/reference/build-reference.ts';

/** Before the first test: the files of the API's reference, as their functions serve them. */
export default function setup() {
  buildReference();
}
