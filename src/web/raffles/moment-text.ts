import { dateFormat } from '#shared/language.ts'

/** In UTC, so that server, browser and the announcement name the same moment. @param at ISO @returns `December 6, 2026 at 17:00 UTC` */
export function momentText(at: string): string {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return `${dateFormat({ timeZone: 'UTC', ...day, ...time }).format(new Date(at))} UTC`
}
