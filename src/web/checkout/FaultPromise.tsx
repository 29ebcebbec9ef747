import { useSite } from '#web/api/use-site.ts'
import { say } from '#words/say.ts'

/** Beside the buttons of both steps. */
export const FaultPromise = () => (
  <p className="text-[0.8125rem] leading-snug text-balance text-ink-soft">
    {say('Wrong, faulty or damaged? We replace or refund it. {email}', { email: useSite().supportEmail })}
  </p>
)
