import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { numbersOf, rowShapes } from '../../shared/runtime/table/row-shape.ts';
import type { RowShape } from '../../shared/runtime/table/table.ts';

const OUTPUT = 'RowShapes';

/** Outputs the row shapes that a stack writes, so that the next deployment can compare them with its own. */
export function noteRowShapes(stack: Stack, shapes: readonly RowShape[] = rowShapes): void {
  if (shapes.length > 0) new CfnOutput(stack, OUTPUT, { value: numbersOf(shapes) });
}

export function hasOtherShapes(outputs: Readonly<Record<string, string>>, shapes: readonly RowShape[]): boolean {
  return (outputs[OUTPUT] ?? '') !== numbersOf(shapes);
}
