import { examine } from '../../../shared/operations/doctor/doctor.ts';
import { isWrong, presentFindings } from '../../../shared/operations/doctor/finding.ts';
import { verb } from '../command.ts';

export const doctor = verb(
  'check everything an environment needs; exit code 1 if something is wrong',
  {},
  async (place, _options, { progress }) => {
    const findings = await examine(place, { progress });
    return { ok: !findings.some(isWrong), findings };
  },
  { present: ({ findings }) => presentFindings(findings), findingsOf: ({ findings }) => findings },
);
