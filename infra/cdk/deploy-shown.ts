import { type Changes, changesOf } from './changes.ts';
import type { DeploymentStep } from './deployment.ts';

export interface Hands {
  deployed(stack: string): Promise<string | undefined>;
  made(stack: string): string;
  print(line: string): void;
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  deploy(step: DeploymentStep): Promise<number>;
}

/**
 * Shows the changes to all stacks, asks for confirmation once, and deploys them one by one. Asks again if a stack has
 * changed meanwhile. An interrupted deployment can be continued.
 * @returns the exit code.
 * @throws an Error if a change is forbidden or nobody can confirm.
 */
export async function deployShown(steps: readonly DeploymentStep[], isYes: boolean, hands: Hands): Promise<number> {
  const shown = new Map<string, string | undefined>();
  const stacks = steps.flatMap((step) => step.stacks);
  if (!(await isAgreed(stacks, shown, isYes, hands))) return 1;
  for (const step of steps) {
    const moved = [];
    for (const stack of step.stacks) if ((await hands.deployed(stack)) !== shown.get(stack)) moved.push(stack);
    if (moved.length > 0) {
      hands.print(`These stacks have changed since they were shown: ${moved.join(', ')}.`);
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
      `Nothing was deployed, because a release must never do this:\n${refusals.join('\n')}\nCheck the settings, such as -c stage and -c tableName: one may name another stage or table.`,
    );
  const warnings = changes.flatMap((each) => each.warnings);
  for (const line of warnings) print(line);
  for (const { stack, isNew, text } of changes)
    print(`\n${stack}${isNew ? ', new' : ''}\n${text || 'nothing changes\n'}`);
  if (isYes || changes.every(({ text }) => text === '')) return true;
  if (!ask)
    throw new Error(
      'Nothing was deployed, because there is nobody to confirm. Check the changes above, then add --yes.',
    );
  const lost = warnings.length > 0 ? ` See the ${warnings.length} warnings above the changes.` : '';
  return ask(`Deploy this?${lost}`);
}
