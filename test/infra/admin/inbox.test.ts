import { expect, test } from 'vitest';
import { readInbox } from '../../../infra/admin/inbox.ts';

const TEXTS = [
  { sender: 'MobileMoney', text: 'Paid "1" & <2>\nby 😀', receivedMs: Date.parse('2026-12-01T09:30:00Z') },
  { sender: '+233241112223', text: 'Hello', receivedMs: Date.parse('2026-12-01T09:30:00Z') },
  { sender: 'MobileMoney', text: 'Paid 2', receivedMs: Date.parse('2026-12-01T09:31:00.250Z') },
];

const PICTURE = `<mms date="1796117400000" address="x"><parts><part data="${'A'.repeat(200_000)}" /></parts></mms>`;
/** Export of SMS Backup & Restore, which splits characters in two and includes messages of other types. */
const XML = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<!--File Created By SMS Backup & Restore-->
<smses count="4">
  <sms protocol="0" address="MobileMoney" date="1796117400000" type="1" body="Paid &quot;1&quot; &amp; &lt;2&gt;&#10;by &#55357;&#56832;" />
  <sms protocol="0" address="+233241112223" date="1796117400000" type="1" body="Hello" />
  <sms protocol="0" address="MobileMoney" date="1796117400001" type="2" body="Sent" />
  ${PICTURE}
  <sms protocol="0" address="MobileMoney" date="1796117460250" type="1" body="Paid 2" />
</smses>`;

const ofLog = TEXTS.map(({ receivedMs, ...one }) => ({ ...one, received_at: new Date(receivedMs).toISOString() }));
const ofPhone = TEXTS.map(({ sender, text, receivedMs }) => ({
  address: sender,
  body: text,
  date: receivedMs,
  type: 1,
}));

test.each([
  ['XML', XML],
  ['XML with a byte order mark', `\uFEFF${XML}`],
  ['a JSON array', JSON.stringify(ofLog)],
  ['a JSON array of an app, newest first', JSON.stringify(ofPhone.toReversed())],
  ['one JSON object per line', `${ofPhone.map((one) => JSON.stringify(one)).join('\r\n')}\n`],
])('an inbox in the form of %s is read in order of arrival', (_, file) => {
  expect(readInbox(file)).toEqual(TEXTS);
});

test('a file that is no inbox is refused with what is wrong', () => {
  const sms = (attributes: string) => `<smses><sms ${attributes} /></smses>`;
  const wrong: [file: string, error: RegExp][] = [
    [' \n', /^The file is empty\. Export/],
    ['date,sender\n1,2', /^The file is neither XML nor JSON with messages\. Export/],
    ['[1, 2]', /^The file is neither XML nor JSON with messages\. Export/],
    [XML.slice(0, -9), /^The file is not valid XML \(Unclosed root tag, line 8\)\. Export/],
    ['<calls><call number="1" /></calls>', /^The XML file has no <sms> elements\. Export/],
    ['[]', /^None of the 0 messages in the file is a received SMS\./],
    [sms('address="A" body="B" date="1796117400000" type="2"'), /^None of the 1 messages in the file/],
    [sms('body="B" date="1796117400000" type="1"'), /^Received message 1 in the file has no sender/],
    [sms('address="A" date="1796117400000" type="1"'), /^Received message 1 in the file has no text/],
    [sms('address="A" body="B" date="yesterday" type="1"'), /^Received message 1 in the file has no time/],
  ];
  for (const [file, error] of wrong) expect(() => readInbox(file), file.slice(0, 99)).toThrow(error);
});
