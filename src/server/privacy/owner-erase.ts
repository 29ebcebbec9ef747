import { safeParse } from 'zod/mini'
import { Person } from '#contract/privacy.ts'
import { COMMAND } from '#server/actions/actions.ts'
import { bodyOfRefusal, Refused } from '#server/http/refused.ts'
import { erase, toldErased } from './privacy.ts'

/** The owner's command `erase`. @throws Error with one sentence when nobody was erased */
export async function eraseByOwner(shop: Parameters<typeof erase>[0], args: readonly string[]): Promise<unknown> {
  const person = safeParse(Person, { email: args[0] })
  if (!person.success || args.length !== 1) throw new Error('Say it so: npm run owner -- erase somebody@mail.example')
  try {
    const erased = await erase(shop, person.data.email, COMMAND)
    return { ...erased, done: toldErased(erased) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw new Error(bodyOfRefusal(error).message, { cause: error })
  }
}
