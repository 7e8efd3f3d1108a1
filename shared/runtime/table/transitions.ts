/**
 * A state machine as data: the possible previous states of each state. Each `states.ts` contains such a table. DynamoDB
 * conditions are derived from the table, so a state need not be read before it is changed.
 */
export type Transitions<State extends string> = Readonly<Partial<Record<State, readonly State[]>>>;

/**
 * Returns the condition on `state` for a transition to `to`. A missing item counts as `unwritten`, if the state machine
 * has that state.
 */
export function mayBecome<State extends string>(transitions: Transitions<State>, to: State, unwritten?: State) {
  const from = transitions[to] ?? [];
  const values = Object.fromEntries(from.map((state) => [`:from_${state}`, state]));
  const known = `#state IN (${Object.keys(values).join(', ')})`;
  return {
    condition: unwritten && from.includes(unwritten) ? `(attribute_not_exists(#state) OR ${known})` : known,
    names: { '#state': 'state' },
    values,
  };
}
