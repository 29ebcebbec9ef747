import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { configQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { PaypalButton } from '#web/checkout/PaypalButton.tsx'
import { openWallet, type WalletSession } from '#web/checkout/wallet-script.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { say } from '#words/say.ts'

const POLL_MS = 2000
const POLLS_MAX = 30

type WalletState = 'loading' | 'ready' | 'working' | 'unavailable'
type Props = {
  /** Creates PayPal's order. */
  start: () => Promise<{ id: string }>
  capture: (id: string) => Promise<{ status: 'paid' | 'held' | 'processing' }>
  onPaid: () => Promise<unknown>
  onRefused: () => Promise<unknown>
}

/** PayPal's button outside of the checkout. */
export function WalletButton({ start, capture, onPaid, onRefused }: Props) {
  const api = useApi()
  const { data: config } = useQuery(configQuery)
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  const [current, setCurrent] = useState<{ attempt: number; state: WalletState }>({ attempt, state: 'loading' })
  // Keep the button while a new session starts.
  const state = current.attempt === attempt || current.state === 'ready' ? current.state : 'loading'
  const session = useRef<WalletSession>(undefined)
  /** Why the shop refused: PayPal's script only reports that the order is missing. */
  const refused = useRef<unknown>(undefined)
  const settings = config?.paypal

  const fail = useEffectEvent(async (error: unknown) => {
    setProblem(sentenceOf(refused.current ?? error))
    refused.current = undefined
    // The next press needs a session of its own.
    setAttempt((before) => before + 1)
    await onRefused()
  })
  const take = useEffectEvent(async (id: string) => {
    setCurrent({ attempt, state: 'working' })
    setProblem(undefined)
    let { status } = await capture(id)
    for (let polls = 0; status === 'processing' && polls < POLLS_MAX; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      status = (await capture(id)).status
    }
    if (status === 'processing')
      return setProblem(say('PayPal is still working on this payment. You do not need to pay again: we’ll email you.'))
    await onPaid()
  })

  useEffect(() => {
    if (!settings) return undefined
    let isGone = false
    const token = api('GET /paypal/setup').then(({ clientToken }) => clientToken)
    openWallet(settings, token, {
      onApprove: ({ orderId }) => take(orderId).catch(fail),
      onCancel: () => setProblem(undefined),
      onError: (error) => void fail(error),
    }).then(
      (opened) => {
        if (isGone) return opened.destroy()
        session.current = opened
        return setCurrent({ attempt, state: 'ready' })
      },
      () => !isGone && setCurrent({ attempt, state: 'unavailable' }),
    )
    return () => {
      isGone = true
      session.current?.destroy()
      session.current = undefined
    }
  }, [api, settings, attempt])

  /** Runs in the click handler: browsers block later popups. */
  const press = () => {
    const opened = session.current
    if (!opened) return
    setProblem(undefined)
    const ordered = start().then(
      ({ id }) => ({ orderId: id }),
      (error: unknown) => {
        refused.current = error
        throw error
      },
    )
    // PayPal's script reports the rejection.
    ordered.catch(() => undefined)
    void opened.start({ presentationMode: 'auto' }, ordered).catch(fail)
  }
  return (
    <div className="grid max-w-[34em] gap-4">
      {state === 'loading' && <Skeleton className="h-12" />}
      {state === 'ready' && <PaypalButton onClick={press} />}
      {state === 'working' && !problem && (
        <p role="status" className="flex items-center gap-3">
          <Spinner className="size-6" /> {say('PayPal is confirming your payment...')}
        </p>
      )}
      {state === 'unavailable' && (
        <p role="status" className="text-[0.9375rem] text-ink-soft">
          {say('PayPal is not available right now. Please pay by card.')}
        </p>
      )}
      {problem && <Notice>{problem}</Notice>}
    </div>
  )
}
