import { MAX_MERCHANT_REFERENCE_CHARACTERS } from '../../shared/money/charge/charge-details.ts';
import { MAX_MESSAGE_CHARACTERS, MAX_RECIPIENTS } from '../../shared/texts/sms/send-request.ts';

/** Maps concepts from other payment APIs to ours, in Markdown. */
export const comingFrom = `
**Amounts are in cedis, not pesewas.** GHS 36.50 is \`36.5\` or \`"36.50"\`, never \`3650\`. Paystack and Stripe count in pesewas: divide by 100.
Hubtel’s \`totalAmount\` is in cedis already. An undivided amount asks your customer for a hundred times the price, which this service cannot detect.

**The money is in your wallet at once.** The customer pays to your own MoMo number, from any network, with mobile money only: no cards, subscriptions, splits or payouts. A payment is matched by its reference, or by the payer’s name: pass \`customer_name\`. To refund, send the money from your wallet and record it: \`POST /api/v1/transaction/{reference}/refund\`.

**Paid is not yet verified.** A network’s text confirms a charge, and a text can be forged. Hold the order until \`data.proof.state\` is \`proven\`.

**Events are signed** per [Standard Webhooks](#webhooks), with a secret of their own: an HMAC-SHA256 over id, time and body, in base64. One address gets the events
of all charges and texts: \`PUT /api/v1/webhook\`.

#### Paystack

| there | here |
|---|---|
| \`POST /transaction/initialize\` | \`POST /api/v1/transaction/initialize\`; the envelope is the same: \`status\`, \`message\`, \`data\` |
| \`email\`, required | \`email\`, optional; \`customer_name\` helps to recognise the payment |
| \`reference\`, chosen by you, once | \`merchant_reference\`, with \`unique_reference: true\`; the \`reference\` is chosen by the service, for the customer to type |
| \`metadata\`, as text | \`metadata\`, as a JSON object |
| \`callback_url\` | \`callback_url\` |
| \`channels\`, \`plan\`, \`subaccount\` | none: unknown fields are refused |
| \`GET /transaction/verify/:reference\` | \`GET /api/v1/transaction/verify/{reference}\`; paid is \`status: "success"\` in \`data\` as well, verified is \`data.proof.state\` |
| the \`charge.success\` event in \`event\` | \`charge.success\` in \`type\` |
| \`POST /refund\` | \`POST /api/v1/transaction/{reference}/refund\` |
| an HMAC-SHA512 of the body, with your secret key | the signature above |

#### Stripe

| there | here |
|---|---|
| a PaymentIntent, or a Checkout Session with its \`url\` | a charge: \`POST /api/v1/transaction/initialize\`, with its \`authorization_url\`; the customer pays outside the browser |
| \`amount\`, \`unit_amount\` | \`amount\` |
| \`client_reference_id\`, \`success_url\` | \`merchant_reference\`, \`callback_url\` |
| \`Idempotency-Key\` | the same header, on every POST |
| \`checkout.session.completed\`, \`payment_intent.succeeded\` | \`charge.success\`, or \`status: "success"\` of the charge |
| \`Stripe-Signature\`: HMAC-SHA256 over time and body, in hex | the signature above |

#### Hubtel

| there | here |
|---|---|
| \`POST /items/initiate\`, with Basic authentication | \`POST /api/v1/transaction/initialize\`, with \`Authorization: Bearer sk_live_…\` |
| \`merchantAccountNumber\` | none: the key says who you are |
| \`totalAmount\` | \`amount\` |
| \`clientReference\`, at most 32 characters | \`merchant_reference\`, at most ${MAX_MERCHANT_REFERENCE_CHARACTERS} characters; the \`reference\` is chosen by the service |
| \`payeeName\`, \`payeeMobileNumber\`, \`payeeEmail\` | \`customer_name\`, \`customer_phone\`, \`email\` |
| \`returnUrl\`: where the browser goes | \`callback_url\` |
| \`callbackUrl\`, for each charge | \`PUT /api/v1/webhook\` |
| \`checkoutUrl\` | \`authorization_url\` |
| \`ResponseCode\` \`"0000"\` and \`Status\` \`"Success"\` in the callback | the event [\`charge.success\`](#onChargeSuccess), signed |
| the status check, from an address on their list | \`GET /api/v1/transaction/verify/{reference}\`, from anywhere |
| texts: \`From\`, \`To\` or \`Recipients\`, \`Content\` | [\`from\`, \`to\`, \`message\`](#smsSend); \`from\` is a number of yours, not a name |

#### Twilio

| there | here |
|---|---|
| \`POST …/Accounts/{AccountSid}/Messages.json\`, a form with Basic authentication | \`POST /api/v1/sms/send\`, JSON with \`Authorization: Bearer sk_sms_…\` |
| \`To\`, one number in E.164 | \`to\`, one number or up to ${MAX_RECIPIENTS}; \`0241234567\` is understood |
| \`From\` | \`from\`: a number from \`GET /api/v1/sms/from\`, \`random\`, or left out |
| \`Body\`, up to 1,600 characters, charged by the segment | \`message\`, up to ${MAX_MESSAGE_CHARACTERS.toLocaleString('en')} characters, one credit however long |
| \`sid\` | \`id\`; \`ids\` for several |
| \`StatusCallback\` with each message | \`sms.delivered\` and \`sms.failed\` |
| \`SendAt\` with a messaging service, 5 minutes to 35 days ahead; \`ValidityPeriod\` | \`send_at\`, up to 30 days ahead; \`valid_for\` |
| \`Status=canceled\` | \`DELETE /api/v1/sms/{id}\` |
| \`queued\`, \`sending\`, \`sent\`, \`delivered\`, \`undelivered\` or \`failed\` | \`pending\`, \`sending\`, \`sent\`, \`delivered\`, \`failed\` (its credit is refunded) |
| \`X-Twilio-Signature\`: HMAC-SHA1 over address and form | the signature above |
`.trim();
