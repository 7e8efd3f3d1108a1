import { manifest } from '../../functions/manifest.ts';
import { chargeEvents, chargeOperations } from '../../shared/money/charge/documentation.ts';
import { linkEvents, linkOperations } from '../../shared/money/link/documentation.ts';
import { purchaseOperations } from '../../shared/money/purchase/documentation.ts';
import { refundEvents, refundOperations } from '../../shared/money/refund/documentation.ts';
import { requestEvents, requestOperations } from '../../shared/money/request/documentation.ts';
import { receiptEvents, receiptOperations, simulationOperations } from '../../shared/money/settling/documentation.ts';
import { checkoutOperations } from '../../shared/pages/checkout/documentation.ts';
import { referenceOperations } from '../../shared/pages/docs/documentation.ts';
import { payOperations } from '../../shared/pages/pay/documentation.ts';
import { requestPageOperations } from '../../shared/pages/request/documentation.ts';
import type { DocumentedEvent, LeftOut, Operation } from '../../shared/runtime/http/operation.ts';
import type { PathNames } from '../../shared/runtime/http/request.ts';
import type { HttpRow, Row } from '../../shared/runtime/triggers/row.ts';
import { bulkOperations } from '../../shared/texts/bulk/documentation.ts';
import { contactOperations } from '../../shared/texts/contact/documentation.ts';
import { inboxEvents, inboxOperations } from '../../shared/texts/inbox/documentation.ts';
import { smsEvents, smsOperations } from '../../shared/texts/sms/documentation.ts';
import { verifyOperations } from '../../shared/texts/verification/documentation.ts';
import { walletEvents, walletOperations } from '../../shared/wallets/wallet/documentation.ts';
import { webhookEvents, webhookOperations } from '../../shared/webhook/documentation.ts';
import type { WebhookEventType } from '../../shared/webhook/event.ts';

type Manifest = typeof manifest;
type Documentation = {
  readonly [Name in keyof Manifest as Manifest[Name] extends { on: 'http' } ? Name : never]: Manifest[Name] extends {
    path: infer Path extends string;
  }
    ? Operation<PathNames<Path>> | LeftOut
    : never;
};

/** The API reference for each route. The code does not compile if a route has no entry. */
const documentation: Documentation = {
  ...chargeOperations,
  ...refundOperations,
  ...linkOperations,
  ...payOperations,
  ...requestOperations,
  ...requestPageOperations,
  ...smsOperations,
  ...purchaseOperations,
  ...bulkOperations,
  ...contactOperations,
  ...inboxOperations,
  ...verifyOperations,
  ...checkoutOperations,
  ...receiptOperations,
  ...walletOperations,
  ...webhookOperations,
  ...simulationOperations,
  ...referenceOperations,
  'callback/smsgate': {
    leftOut: 'The phone’s own protocol, documented by SMSGate. Only the phone can sign it.',
  },
  'callback/forwarder': {
    leftOut: 'For forwarding apps on the operator’s phones (docs/integrate/forwarders.md). Only the phone can sign it.',
  },
};

export const eventDocumentation: Readonly<Record<WebhookEventType, DocumentedEvent>> = {
  ...chargeEvents,
  ...refundEvents,
  ...linkEvents,
  ...requestEvents,
  ...receiptEvents,
  ...smsEvents,
  ...inboxEvents,
  ...walletEvents,
  ...webhookEvents,
};

export interface DocumentedRoute {
  readonly name: string;
  readonly row: HttpRow;
  readonly operation: Operation | LeftOut;
}

const rows: Readonly<Record<string, Row>> = manifest;

export const documentedRoutes: readonly DocumentedRoute[] = Object.entries<Operation | LeftOut>(documentation).flatMap(
  ([name, operation]) => {
    const row = rows[name];
    return row?.on === 'http' ? [{ name, row, operation }] : [];
  },
);
