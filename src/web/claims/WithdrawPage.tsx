import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { ClaimLine, OrderClaims } from '#contract/claims.ts'
import type { OrderKey } from '#contract/orders.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import type { Fit } from '#domain/orders/fit.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { say, sayKnown } from '#words/say.ts'
import { sayMade } from '#words/say-made.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { OrderFrame } from '#web/orders/OrderFrame.tsx'
import { promisedDay } from '#web/orders/order-labels.ts'
import { ApiForm, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { orderClaimsQuery, withKey } from './claim-queries.ts'
import { fitIn, FitSelect } from './FitSelect.tsx'
import { OwnClaims } from './OwnClaims.tsx'
import { firstPieceField, PieceFields, piecesIn } from './PieceFields.tsx'
import { WithoutScript } from './WithoutScript.tsx'

/** `/order-confirmation/withdraw`: takes back a purchase in two steps, as Article 11a of Directive 2011/83/EU asks. */
export const WithdrawPage = () => (
  <OrderFrame title={say('Withdraw from contract')} queryOf={orderClaimsQuery}>
    {(claims, orderKey) => <Withdraw claims={claims} orderKey={orderKey} />}
  </OrderFrame>
)

type Declaration = { name: string; pieces: { position: number; quantity: number }[]; fit: Fit | null }

const fieldsFor = (lines: readonly ClaimLine[]) =>
  z.pipe(
    z.record(z.string(), z.string()),
    z.transform((typed, { issues }): Declaration => {
      const pieces = piecesIn(typed, lines)
      const name = typed['name']?.trim() ?? ''
      const refuse = (path: string, message: string) =>
        issues.push({ code: 'custom', input: typed, path: [path], message })
      if (pieces.length === 0) refuse(firstPieceField(lines), 'Please choose at least one item')
      if (!name) refuse('name', 'Please enter your name')
      return { name, pieces, fit: fitIn(typed['fit']) }
    }),
  )

function Withdraw({ claims, orderKey }: { claims: OrderClaims; orderKey: OrderKey }) {
  const { orderNumber, email, lines, withdrawal } = claims
  const api = useApi()
  const queries = useQueryClient()
  const { run, busy, failure } = useRequest()
  const [schema] = useState(() => fieldsFor(lines))
  const [submission] = useState(() => crypto.randomUUID())
  const [declared, setDeclared] = useState<Declaration>()
  const [done, setDone] = useState('')
  const reload = () => queries.invalidateQueries(orderClaimsQuery(orderKey))

  const confirm = (declaration: Declaration) =>
    void run(async () => {
      const answer = await api('POST /api/order/withdrawals', { body: { ...orderKey, ...declaration, submission } })
      setDone(sayKnown(answer.done))
      setDeclared(undefined)
      await reload()
    })
  const onSent = (sentence: string) => {
    setDone(sentence)
    return reload()
  }
  const own = claims.claims.filter(({ kind }) => kind === 'withdrawal')
  return (
    <>
      {done && (
        <div className="mt-6">
          <Notice tone="calm" title={say('Withdrawal received')}>
            {done}
          </Notice>
        </div>
      )}
      {own.length > 0 && <OwnClaims claims={own} orderKey={orderKey} onSent={onSent} />}
      {!done && withdrawal.objection !== null && (
        <div className="mt-6 grid justify-items-start gap-5">
          <Notice tone="calm">{sayMade(withdrawal.objection)}</Notice>
          <Link to={withKey(claimPaths.problem, orderKey)} className={buttonClass('outline')}>
            {say('Report a problem')}
          </Link>
        </div>
      )}
      {!done && withdrawal.objection === null && (
        <>
          {/* The first step stays in the page, so that going back loses nothing. */}
          <div hidden={declared !== undefined}>
            <p className="mt-4 max-w-[44em] text-lg text-ink-soft">
              {withdrawal.until
                ? say(
                    'You can take back this purchase without giving a reason, until {day}. This is for people who buy for themselves, not for a business.',
                    { day: promisedDay(withdrawal.until) },
                  )
                : say(
                    'You can take back this purchase without giving a reason. This is for people who buy for themselves, not for a business.',
                  )}{' '}
              {withdrawal.cancels
                ? say(
                    'Nothing has been made yet: if you withdraw from everything, we cancel the order and refund all of it.',
                  )
                : say('We refund you once the items are back, and tell you by email how to send them.')}
            </p>
            <p className="mt-2 text-sm text-ink-soft">{sayKnown(withdrawal.basis)}</p>
            <WithoutScript orderKey={orderKey} />
            <ApiForm
              schema={schema}
              aria-label={say('Withdraw')}
              className="mt-8 grid gap-8 noscript:hidden"
              send={(declaration) => Promise.resolve(setDeclared(declaration))}
            >
              <PieceFields legend={say('Which items?')} lines={lines} chosen="all" />
              <Field label={say('Your name')} name="name" autoComplete="name" maxLength={100} className="max-w-96" />
              <FitSelect lines={lines} />
              <div>
                <SubmitButton>{say('Withdraw from the purchase')}</SubmitButton>
              </div>
            </ApiForm>
          </div>
          {declared && (
            <section aria-labelledby="confirm" className="mt-6 rounded-card border border-line bg-surface p-5 sm:p-6">
              <h2 id="confirm" className="text-title">
                {say('Please confirm')}
              </h2>
              <p className="mt-3">
                {say('I, {name}, withdraw from my contract of sale for these items of order {number}:', {
                  ...{ name: declared.name, number: formatOrderNumber(orderNumber) },
                })}
              </p>
              <ul className="mt-3 list-disc pl-6">
                {declared.pieces.map(({ position, quantity }) => {
                  const line = lines.find((candidate) => candidate.position === position)
                  return (
                    <li key={position}>
                      {quantity} × {line && spokenName(line.productName)}
                      {line?.variantName && `, ${sayVariant(line.variantName)}`}
                    </li>
                  )
                })}
              </ul>
              <p className="mt-3 text-ink-soft">{say('The receipt goes to {email}.', { email })}</p>
              {failure && (
                <div className="mt-4">
                  <Notice title={say('Not sent. Nothing you entered is lost.')}>{failure.sentence}</Notice>
                </div>
              )}
              <div className="mt-6 flex flex-wrap gap-3">
                <Button busy={busy} onClick={() => confirm(declared)}>
                  {say('Confirm withdrawal')}
                </Button>
                <Button variant="quiet" onClick={() => setDeclared(undefined)}>
                  {say('Back')}
                </Button>
              </div>
            </section>
          )}
        </>
      )}
    </>
  )
}
