import { useId, useState, type FormEvent } from 'react'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { useApi } from '#web/api/use-api.ts'

/** A plain form without JavaScript. */
export function NewsletterForm() {
  const api = useApi()
  const id = useId()
  const [message, setMessage] = useState('')
  const [isSending, setIsSending] = useState(false)

  // On every page, so without the code that other forms share.
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const form = event.currentTarget
    setIsSending(true)
    try {
      const { subscribe } = await import('#web/messages/subscribe.ts')
      setMessage(await subscribe(api, form))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <form
      id="newsletter"
      method="post"
      action={spokenAddress(paths.newsletter)}
      noValidate
      onSubmit={(event) => void send(event)}
      className="mt-3 sm:mt-8"
    >
      <label htmlFor={id} className="text-[0.9375rem] font-semibold text-gold">
        {say('Newsletter')}
      </label>
      <div className="mt-1.5 flex lg:max-w-[22rem] gap-2 sm:mt-2">
        <input
          id={id}
          name="email"
          type="email"
          autoComplete="email"
          placeholder={say('Your email')}
          maxLength={254}
          required
          aria-describedby={`${id}-message`}
          className="min-h-12 w-full min-w-0 rounded-card border border-ivory/50 bg-transparent px-3.5 text-base text-ivory placeholder:text-ivory/70 hover:border-ivory"
        />
        <button
          type="submit"
          aria-disabled={isSending}
          className="min-h-12 shrink-0 rounded-card bg-ivory px-5 font-semibold text-charcoal transition-colors hover:bg-gold"
        >
          {say('Sign up')}
        </button>
      </div>
      <p
        id={`${id}-message`}
        aria-live="polite"
        className="mt-2 min-h-2 lg:max-w-[22rem] text-sm text-ivory/90 sm:min-h-6"
      >
        {message}
      </p>
    </form>
  )
}
