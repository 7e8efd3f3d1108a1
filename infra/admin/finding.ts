/** One thing that was checked in an environment. */
export interface Finding {
  /** `not here`: the environment has no such thing and needs none, as the local stack has no alarms. */
  readonly state: 'fine' | 'wrong' | 'not here';
  readonly says: string;
  /** What to do about it, if it is wrong. */
  readonly todo?: string;
}

export function fine(says: string): Finding {
  return { state: 'fine', says };
}

export function wrong(says: string, todo: string): Finding {
  return { state: 'wrong', says, todo };
}

export function notHere(says: string): Finding {
  return { state: 'not here', says };
}

/** The command that deploys a stage again. Without the context that it was deployed with, it would lose its domain. */
export function deployment(stage: string): string {
  return `npm run deploy -- -c stage=${stage}, with the rest of its context`;
}

export function isWrong({ state }: Finding): boolean {
  return state === 'wrong';
}

/** For a person: a line a finding, and below what is wrong what to do. */
export function presentFindings(findings: readonly Finding[]): string {
  return findings
    .flatMap(({ state, says, todo }) => [`${MARKS[state]} ${says}`, ...(todo ? [`  → ${todo}`] : [])])
    .join('\n');
}

const MARKS = { fine: '✓', wrong: '✗', 'not here': '-' } as const;
