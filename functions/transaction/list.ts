import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import {
  choiceOf,
  filledPage,
  metaOf,
  PAGE_PARAMETERS,
  pageOf,
  TIME_PARAMETERS,
  timesOf,
} from '../../shared/runtime/http/pagination.ts';
import { findTransactions, startAfterFound } from '../../shared/transaction/lookup.table.ts';
import type { TransactionListResponse } from '../../shared/transaction/responses.ts';
import { searchedTerms, termKinds } from '../../shared/transaction/search.ts';
import { transactionStatuses } from '../../shared/transaction/states.ts';
import {
  isListed,
  listTransactions,
  madeBetween,
  startAfterTransaction,
} from '../../shared/transaction/transaction.table.ts';
import { presentTransaction, statusOf } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's charges, newest first; `status`, `from` and `to` narrow it, and what they are found by. */
export const handler = merchantRoute(
  manifest['transaction/list'],
  { query: ['status', ...termKinds, ...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const times = timesOf(query);
    const status = choiceOf(query, 'status', transactionStatuses);
    const terms = searchedTerms(query);
    const { entries, next } = await filledPage(
      page,
      (part) =>
        terms
          ? findTransactions(outside, merchant.merchant_id, terms, { ...part, between: madeBetween(times) })
          : listTransactions(outside, merchant.merchant_id, part, times, isListed(status) ? status : undefined),
      (transaction) => status === undefined || statusOf(outside, transaction) === status,
      (transaction) => (terms ? startAfterFound(transaction, terms[0]) : startAfterTransaction(transaction)),
    );
    const transactions = entries.map((transaction) => presentTransaction(outside, transaction));
    return ok<TransactionListResponse>('Charges', { transactions }, metaOf(page, next));
  },
);
