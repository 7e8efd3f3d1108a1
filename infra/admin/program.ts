import { Command } from 'commander';
import { type Connect, connectTo } from './command.ts';
import { credits } from './commands/credits.ts';
import { customers } from './commands/customer.ts';
import { deadLetters } from './commands/dead-letters.ts';
import { doctor } from './commands/doctor.ts';
import { gateways } from './commands/gateway.ts';
import { keys } from './commands/key.ts';
import { merchants } from './commands/merchant.ts';
import { phones } from './commands/phone.ts';
import { receipts } from './commands/receipt.ts';
import { senders } from './commands/sender.ts';
import { stages } from './commands/stage.ts';
import { users } from './commands/user.ts';
import { wallets } from './commands/wallet.ts';
import { webhooks } from './commands/webhook.ts';

export function createProgram(connect: Connect): Command {
  const program = new Command('admin')
    .description('Operates Momo Kiosk: the local stack by default, a deployed one with --stage NAME after the command.')
    .helpCommand(false)
    .showHelpAfterError('(--help shows how)');
  connectTo(program, connect);

  // Commands in the order in which --help shows them.
  const ofMerchants = [merchants, keys, users, credits, webhooks];
  const ofOperator = [senders, gateways, phones, receipts, wallets, customers, deadLetters, stages];
  for (const add of [...ofMerchants, ...ofOperator]) add(program);
  doctor(program, 'doctor');
  return program;
}
