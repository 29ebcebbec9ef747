import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import type { Api } from '#web/api/client.ts'
import { say } from '#words/say.ts'

/** Signs up for the newsletter and clears the form. @returns the message to show beside it */
export async function subscribe(api: Api, form: HTMLFormElement): Promise<string> {
  const email = new FormData(form).get('email')
  try {
    await api('POST /api/newsletter', { body: { email: typeof email === 'string' ? email : '' } })
    form.reset()
    return say('Thank you. Please confirm through the email we just sent you.')
  } catch (error) {
    return fieldsOf(error)['email'] ?? sentenceOf(error)
  }
}
