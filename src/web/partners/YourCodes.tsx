import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PartnerCodes } from '#contract/partner-codes.ts'
import { benefitText } from '#domain/codes/benefit-text.ts'
import { formatUsd } from '#shared/money.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'

type Code = PartnerCodes['codes'][number]
type Show = (codes: PartnerCodes, title: string) => void

export const codesQuery = query('GET /api/partnership/codes')

/** A partner's codes, and a new one within the owner's bounds. */
export function YourCodes() {
  const queries = useQueryClient()
  const { toast } = useToast()
  const show: Show = (codes, title) => {
    queries.setQueryData(codesQuery.queryKey, codes)
    toast({ title })
  }
  return (
    <section aria-labelledby="your-codes" className="max-w-[52em]">
      <h2 id="your-codes" className="text-title">
        Your codes
      </h2>
      <p className="mt-3 max-w-[40em] text-ink-soft">
        A code takes something off for your audience, and can be said aloud: shoppers type it in the cart. An order with
        your code is yours, even if another partner’s link was clicked before: a code counts more than a link.
      </p>
      <QueryBoundary query={useQuery(codesQuery)}>
        {(answer) => (
          <>
            <NewCode {...answer} show={show} />
            <ul aria-label="Your codes" className="mt-6">
              {answer.codes.map((code) => (
                <CodeRow key={code.id} code={code} show={show} />
              ))}
            </ul>
          </>
        )}
      </QueryBoundary>
    </section>
  )
}

function NewCode({ percentMax, activeMax, active, show }: PartnerCodes & { show: Show }) {
  const api = useApi()
  if (percentMax === 0 || active >= activeMax)
    return (
      <p className="mt-5 font-medium">
        {percentMax === 0
          ? 'Ask us for a code: we make it for you.'
          : `You have ${active} active codes, which is the most at once. End one to make another.`}
      </p>
    )
  const send = async ({ code = '', percent }: TypedFields) => {
    const body = { code, percent: Number(percent?.trim() || Number.NaN) }
    show(await api('POST /api/partnership/codes', { body }), 'Your code can be used.')
  }
  return (
    <ApiForm
      send={send}
      clears
      aria-label="New code"
      className="mt-6 grid items-start gap-5 sm:grid-cols-[1.4fr_1fr_auto]"
    >
      <Field
        label="Code"
        name="code"
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Such as RUDY10. It can’t be changed later."
      />
      <Field
        label="Percent off"
        name="percent"
        required
        inputMode="numeric"
        autoComplete="off"
        hint={percentMax === 1 ? '1' : `From 1 to ${percentMax}`}
      />
      <SubmitButton className="sm:mt-[1.9rem]">Make code</SubmitButton>
      <div className="sm:col-span-3">
        <FormNotice />
      </div>
    </ApiForm>
  )
}

const statusTexts: Record<Code['status'], string> = {
  active: 'active',
  scheduled: 'not yet active',
  used_up: 'used up',
  ended: 'ended',
}

function CodeRow({
  code: { id, code, address, benefit, status, isOwn, orders, earned },
  show,
}: {
  code: Code
  show: Show
}) {
  return (
    <li className="border-t border-line py-5">
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <p className="text-lg font-medium wrap-anywhere">{code}</p>
          <p className="text-ink-soft">
            {benefitText(benefit)}, {statusTexts[status]}. {orders === 1 ? '1 order' : `${orders} orders`},{' '}
            {formatUsd(earned)} earned.
          </p>
        </div>
        {status !== 'ended' && <CopyButton text={code} what={code} />}
      </div>
      {status !== 'ended' && (
        <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-2">
          <span className="inline-flex flex-wrap items-center gap-x-3 wrap-anywhere">
            {address}
            <CopyButton text={address} what={`the link with ${code}`} variant="plain" />
          </span>
          {isOwn && <EndButton id={id} code={code} show={show} />}
        </div>
      )}
    </li>
  )
}

function EndButton({ id, code, show }: Pick<Code, 'id' | 'code'> & { show: Show }) {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [isAsking, setIsAsking] = useState(false)
  const end = () =>
    run(async () => show(await api('POST /api/partnership/codes/:id/end', { params: { id } }), `${code} has ended.`))
  return (
    <div className="flex flex-wrap items-center gap-3">
      {isAsking ? (
        <>
          <p className="w-full">End it for good?</p>
          <Button busy={busy} onClick={() => void end()}>
            End {code}
          </Button>
          <Button variant="outline" onClick={() => setIsAsking(false)}>
            Keep it
          </Button>
        </>
      ) : (
        <Button variant="plain" onClick={() => setIsAsking(true)}>
          End<span className="sr-only"> {code}</span>
        </Button>
      )}
      {failure && <Notice>{failure.sentence}</Notice>}
    </div>
  )
}
