import { type Changes, changesOf } from './changes.ts';
import type { DeploymentStep } from './deployment.ts';

/** What a deployment does besides deciding. */
export interface Hands {
  /** The template that a stack has; undefined where there is no such stack. */
  deployed(stack: string): Promise<string | undefined>;
  /** The template that was made for it. */
  made(stack: string): string;
  print(line: string): void;
  /** Undefined where nobody is there to answer. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  /** Deploys stacks as they were made. @returns the exit code. */
  deploy(step: DeploymentStep): Promise<number>;
}

/**
 * Shows what would change of all stacks, asks once, and deploys what was shown, step by step. A stack that has changed meanwhile, by another
 * hand, is shown and asked about again. Deployed by the same line, an interrupted deployment goes on.
 * @returns the exit code.
 * @throws an Error where it would lose what no deployment may, or nobody is there to be asked.
 */
export async function deployShown(steps: readonly DeploymentStep[], isYes: boolean, hands: Hands): Promise<number> {
  const shown = new Map<string, string | undefined>();
  const stacks = steps.flatMap((step) => step.stacks);
  if (!(await isAgreed(stacks, shown, isYes, hands))) return 1;
  for (const step of steps) {
    const moved = [];
    for (const stack of step.stacks) if ((await hands.deployed(stack)) !== shown.get(stack)) moved.push(stack);
    if (moved.length > 0) {
      hands.print(`Changed since it was shown: ${moved.join(', ')}.`);
      if (!(await isAgreed(moved, shown, isYes, hands))) return 1;
    }
    const code = await hands.deploy(step);
    if (code !== 0) return code;
  }
  return 0;
}

async function isAgreed(
  stacks: readonly string[],
  shown: Map<string, string | undefined>,
  isYes: boolean,
  { deployed, made, print, ask }: Hands,
): Promise<boolean> {
  const changes: Changes[] = [];
  for (const stack of stacks) {
    shown.set(stack, await deployed(stack));
    changes.push(changesOf(stack, shown.get(stack), made(stack)));
  }
  const refusals = changes.flatMap((each) => each.refusals);
  if (refusals.length > 0)
    throw new Error(
      `Nothing was deployed. No release does this:\n${refusals.join('\n')}\nA setting that names something else may be the cause, such as -c stage or -c tableName.`,
    );
  const warnings = changes.flatMap((each) => each.warnings);
  for (const line of warnings) print(line);
  for (const { stack, isNew, text } of changes)
    print(`\n${stack}${isNew ? ', new' : ''}\n${text || 'nothing changes\n'}`);
  if (isYes || changes.every(({ text }) => text === '')) return true;
  if (!ask)
    throw new Error('Nobody is there to be asked. Nothing was deployed: look at the changes above, and add --yes.');
  const lost = warnings.length > 0 ? ` See the ${warnings.length} lines above what changes.` : '';
  return ask(`Deploy this?${lost}`);
}
