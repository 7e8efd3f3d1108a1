import { answer } from '../../shared/care/repair/answer.ts';
import { Question } from '../../shared/care/repair/protocol.ts';
import { callee } from '../../shared/runtime/triggers/call.ts';
import { manifest, service } from '../manifest.ts';

/** What the operator asks at the dashboard about the stage itself: the doctor, and dead letters. */
export const handler = callee(manifest['work/repair'], service, Question, answer);
