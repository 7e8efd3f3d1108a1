import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { numbersOf, rowShapes } from '../../shared/runtime/table/row-shape.ts';
import type { RowShape } from '../../shared/runtime/table/table.ts';

const OUTPUT = 'RowShapes';

/** A stack says which shapes of rows its functions write, so that the next deployment knows. Without the output no kind has changed. */
export function noteRowShapes(stack: Stack, shapes: readonly RowShape[] = rowShapes): void {
  if (shapes.length > 0) new CfnOutput(stack, OUTPUT, { value: numbersOf(shapes) });
}

/** Whether the functions of a stack that is deployed write rows of other shapes than those that are to take their place. */
export function hasOtherShapes(outputs: Readonly<Record<string, string>>, shapes: readonly RowShape[]): boolean {
  return (outputs[OUTPUT] ?? '') !== numbersOf(shapes);
}
