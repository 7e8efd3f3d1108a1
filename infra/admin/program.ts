import { Command } from 'commander';
import { type Connect, connectTo } from './command.ts';
import { addCreditsCommands } from './commands/credits.ts';
import { addCustomerCommands } from './commands/customer.ts';
import { addDeadLettersCommands } from './commands/dead-letters.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addGatewayCommands } from './commands/gateway.ts';
import { addKeyCommands } from './commands/key.ts';
import { addMerchantCommands } from './commands/merchant.ts';
import { addReceiptCommands } from './commands/receipt.ts';
import { addSenderCommands } from './commands/sender.ts';
import { addTableCommands } from './commands/table.ts';
import { addUserCommands } from './commands/user.ts';
import { addWalletCommands } from './commands/wallet.ts';
import { addWebhookCommands } from './commands/webhook.ts';

/** Every command of the operator's. They work where `connect` says. */
export function createProgram(connect: Connect): Command {
  const program = new Command('admin')
    .description('Operates Momo Kiosk: the local stack by default, a deployed one with --stage NAME after the command.')
    .helpCommand(false)
    .showHelpAfterError('(--help shows how)');
  connectTo(program, connect);

  // In the order in which --help lists them.
  for (const add of [
    addMerchantCommands,
    addKeyCommands,
    addUserCommands,
    addCreditsCommands,
    addWebhookCommands,
    addSenderCommands,
    addGatewayCommands,
    addReceiptCommands,
    addWalletCommands,
    addCustomerCommands,
    addDeadLettersCommands,
    addTableCommands,
    addDoctorCommand,
  ]) {
    add(program);
  }
  return program;
}
