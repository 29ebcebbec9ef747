import { openSync, readSync } from 'node:fs'
import type { Clock } from '#shared/time.ts'
import type { Config } from './config.ts'

const LENGTH_MAX = 32

/**
 * The shop's clock: the machine's, or in a sandbox the one that `CLOCK_FILE` describes. Who turns that clock writes into the file how many
 * milliseconds it is ahead of the machine's, in place and in one write. It is read each time, so the shop is never late.
 * @throws Error when the file cannot be opened
 */
export function clockOf({ clockFile }: Pick<Config, 'clockFile'>): Clock {
  if (clockFile === undefined) return { now: () => new Date() }
  const file = openSync(clockFile, 'r')
  const buffer = Buffer.alloc(LENGTH_MAX)
  return {
    now: () => {
      const length = readSync(file, buffer, 0, LENGTH_MAX, 0)
      return new Date(Date.now() + Number(buffer.toString('ascii', 0, length)))
    },
  }
}

/** How far a clock is ahead of the machine's, in milliseconds. */
export const aheadOf = (clock: Clock): number => clock.now().getTime() - Date.now()
