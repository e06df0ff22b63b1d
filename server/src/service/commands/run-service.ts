// The command "start". The usual way to start the service uses this without loading the command line's library.
import { readConfig } from '../../platform/config.ts'
import { fail } from './failure.ts'

/** Runs the service until it is told to stop. */
export async function runService(): Promise<void> {
  try {
    const config = readConfig(process.env)
    const { start } = await import('./start.ts')
    await start(config)
  } catch (error) {
    fail(error, {})
  }
}
