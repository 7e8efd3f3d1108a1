import { expect, test } from 'vitest';
import { balanceLineOf } from '../../../shared/money/wallet/balance-line.ts';
import { drawLine } from '../../../shared/pages/dashboard/parts/plot-figures.ts';
import type { SettledText } from '../../../shared/wallets/chain/chain.table.ts';

const startMs = Date.parse('2026-11-19T23:00:00.000Z');
const HOUR = 3_600_000;

function text(id: number, before: number, after: number, state: SettledText['state'] = 'linked'): SettledText {
  const at_ms = startMs + (id - 1) * HOUR;
  return { id, before, after, at_ms, arrived_ms: at_ms, sender: 'mobilemoney', state };
}

const place = (id: number, balance: number) => ({ id, balance, at_ms: startMs + (id - 1) * HOUR });
const pesewas = (line: ReturnType<typeof balanceLineOf>) => line.stretches.map((one) => one.map((at) => at.pesewas));

test('the balance line connects consecutive texts and breaks at a gap', () => {
  const texts = [text(1, 0, 100), text(2, 100, 250), text(4, 400, 350)];
  const line = balanceLineOf(texts, [{ from: place(2, 250), to: place(4, 400) }]);
  expect(pesewas(line)).toEqual([
    [0, 100, 250],
    [400, 350],
  ]);
  expect(line.days).toEqual([
    { day: '2026-11-19', texts: 1, gaps: 0, pesewas: 100 },
    { day: '2026-11-20', texts: 2, gaps: 1, pesewas: 350 },
  ]);
});

test.each(['false', 'contested'] as const)('the balance line omits a text in the %s state', (state) => {
  expect(pesewas(balanceLineOf([text(1, 0, 100), text(2, 100, 999_999, state)], []))).toEqual([[0, 100]]);
});

test('the balance line omits a gap before its first text', () => {
  const line = balanceLineOf([text(5, 10, 20)], [{ from: place(1, 0), to: place(2, 5) }]);
  expect(pesewas(line)).toEqual([[10, 20]]);
  expect(balanceLineOf([], [{ from: place(1, 0), to: place(2, 5) }])).toEqual({ stretches: [], days: [] });
});

test('the balance line has one path per section and one mark at each gap', () => {
  const at = (hours: number, value: number) => ({ ms: startMs + hours * HOUR, value });
  const drawn = drawLine([
    [at(0, 0), at(1, 200)],
    [at(3, 400), at(4, 300)],
  ]);
  expect(drawn.stretches.match(/M/g)).toHaveLength(2);
  expect(drawn.gaps).toMatch(/^M250 \d+L750 20$/);
  expect(drawn.gapEnds).toEqual([{ x: 75, y: 20 }]);
  expect(drawn.ticks.map((line) => line.map(({ text: shown }) => shown))).toEqual([
    ['Thu 23:24', 'Fri 01:00', 'Fri 02:36'],
    ['19 Nov', '20 Nov', '20 Nov'],
  ]);
});
