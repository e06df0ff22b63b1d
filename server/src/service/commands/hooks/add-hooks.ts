import { type Command, Option } from 'commander'
import { fail } from '../failure.ts'
import type { ListenOptions } from './listen.ts'

/** Adds `bailiwick hooks listen`. */
export function addHooks(program: Command) {
  program
    .command('hooks')
    .description('work with the hooks of a tenant')
    .command('listen')
    .description("send the calls of a development tenant's hooks to a program on this machine, until Ctrl-C")
    .requiredOption('--to <url>', 'where the program answers, such as http://localhost:3000/hook')
    .addOption(
      new Option('--api-url <url>', 'base address of the service').env('BAILIWICK_API_URL').makeOptionMandatory(),
    )
    .addOption(new Option('--tenant <id>', 'id of the tenant').env('BAILIWICK_TENANT_ID').makeOptionMandatory())
    .addOption(
      new Option('--secret-key <key>', "the tenant's secret key, better in the variable")
        .env('BAILIWICK_SECRET_KEY')
        .makeOptionMandatory(),
    )
    .action(async (options: ListenOptions) => {
      try {
        await (await import('./listen.ts')).hooksListen(options)
      } catch (error) {
        fail(error, {})
      }
    })
}
