import { writeFileSync } from 'node:fs';
import { examine } from '../../../shared/operations/doctor/doctor.ts';
import { isWrong, presentFindings } from '../../../shared/operations/doctor/finding.ts';
import { presentReport, reportOf } from '../../../shared/operations/doctor/report.ts';
import { optional, verb } from '../command.ts';

export const doctor = verb(
  'check everything an environment needs; exit code 1 if something is wrong',
  {
    report: optional(
      '<file>',
      'also write a report without names, numbers, keys or texts, as Markdown with JSON',
      (file: string) => file,
    ),
  },
  async (place, { report }, { progress }) => {
    // Fail before the checks if the file cannot be written.
    if (report !== undefined) writeFileSync(report, '', { flag: 'a' });
    const findings = await examine(place, { progress });
    if (report !== undefined) writeFileSync(report, `${presentReport(await reportOf(place, findings))}\n`);
    return { ok: !findings.some(isWrong), findings, ...(report !== undefined && { report }) };
  },
  {
    present: ({ findings, report }) =>
      `${presentFindings(findings)}${report === undefined ? '' : `\n\nThe report is in ${report}. Read it before you send it.`}`,
    findingsOf: ({ findings }) => findings,
  },
);
