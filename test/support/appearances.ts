import { isInSlice } from './slice.ts';

export interface Appearance {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark';
  readonly hasTouch: boolean;
  readonly isMobile: boolean;
}

const sizes = [
  { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false },
];

export const appearances: readonly Appearance[] = sizes.flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${size.viewport.width} px, ${colorScheme}`,
    colorScheme,
    ...size,
  })),
);

export function appearancesOf(place: number): readonly Appearance[] {
  return appearances.filter((_, n) => isInSlice(place + n, appearances.length));
}
