import { safeParse } from 'zod/mini'
import { PersonalDataQuery } from '#contract/privacy.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { erasePerson, formatErasure } from './privacy.ts'

/** The owner command `erase`. @throws Error with one sentence when nothing was erased */
export async function eraseByOwner(shop: Parameters<typeof erasePerson>[0], args: readonly string[]): Promise<unknown> {
  const person = safeParse(PersonalDataQuery, { email: args[0] })
  if (!person.success || args.length !== 1) throw new Error('Usage: npm run owner -- erase somebody@mail.example')
  try {
    const erased = await erasePerson(shop, person.data.email, COMMAND)
    return { ...erased, done: formatErasure(erased) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Error(bodyOfRefusal(error).message, { cause: error })
  }
}
