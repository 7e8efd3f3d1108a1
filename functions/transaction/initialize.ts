import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { presentNewCharge } from '../../shared/money/charge/charge.ts';
import { initializeCharge } from '../../shared/money/charge/initialize-charge.ts';
import { InitializeRequest } from '../../shared/money/charge/initialize-request.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/initialize'],
  { body: InitializeRequest },
  ({ merchant, body, rawBody, commit }, outside) =>
    initializeCharge(outside, merchant, { asked: body, origin: { kind: 'api' } }, (charge, writes) =>
      commit(writes, ok('Charge created', presentNewCharge(outside, merchant, rawBody, charge))),
    ),
);
