import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { OrderWish } from '#contract/order-changes.ts'
import { CHANGE_ORDER, CORRECT_ADDRESS, PAY_CHANGE } from '#contract/paths.ts'
import type { OrderKey, OrderView } from '#contract/orders.ts'
import { countryName, mainCountries } from '#domain/checkout/countries.ts'
import { formatUsd, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import { orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { changeQuery } from './change-query.ts'
import type { PreviewedChange } from './ConfirmChange.tsx'
import { CorrectAddress } from './CorrectAddress.tsx'
import { CorrectEmail } from './CorrectEmail.tsx'

const ChangeItems = lazy(async () => ({ default: (await import('./ChangeItems.tsx')).ChangeItems }))
const ConfirmOwnChange = lazy(async () => ({ default: (await import('./ConfirmOwnChange.tsx')).ConfirmOwnChange }))
const CorrectPhone = lazy(async () => ({ default: (await import('./CorrectPhone.tsx')).CorrectPhone }))

type Props = {
  order: OrderView
  orderKey: OrderKey
  /** Below the order's facts, once only the email can be corrected. */
  isSmall?: boolean
  /** Hidden until the link 'Change order' leads to it, which needs no script. */
  isFolded?: boolean
}

/** What the customer can still change or correct; renders nothing once it is too late. */
export function OrderCorrections({ order, orderKey, isSmall = false, isFolded = false }: Props) {
  const api = useApi()
  const queries = useQueryClient()
  const isHydrated = useHydrated()
  const [done, setDone] = useState<string>()
  const [preview, setPreview] = useState<PreviewedChange>()
  // Emptied again after each change.
  const [changes, setChanges] = useState(0)
  const { can, countryCode, needsAddress } = order
  const isChangeable = order.changes?.objection === null && order.changes.isYours

  const reload = () =>
    Promise.all([queries.invalidateQueries(orderQuery(orderKey)), queries.invalidateQueries(changeQuery(orderKey))])
  const change = async (wish: OrderWish, difference: Cents) => {
    const answer = await api('POST /api/order/change', { body: { ...orderKey, ...wish, difference } })
    const isAddress = wish.recipient !== undefined && !wish.lines
    setDone(
      answer.isToPay
        ? say('Almost done: pay {amount}, and your order is changed.', { amount: formatUsd(difference) })
        : changedText(isAddress, difference),
    )
    setPreview(undefined)
    setChanges((count) => count + 1)
    await reload()
    // After the dialog has given the focus back, and the part to pay is there.
    const place = answer.isToPay ? PAY_CHANGE : CHANGE_ORDER
    setTimeout(() => document.getElementById(place)?.scrollIntoView({ block: 'start' }), 200)
  }
  const show = async (wish: OrderWish) => {
    const seen = await api('POST /api/order/change/preview', { body: { ...orderKey, ...wish } })
    // An address alone needs no second look while the price stays.
    if (seen.difference === ZERO && !wish.lines) return change(wish, ZERO)
    return setPreview({ ...seen, wish })
  }

  if (!can.correctAddress && !can.correctEmail && !done) return null
  return (
    <div
      id={CHANGE_ORDER}
      className={classNames('scroll-mt-24 gap-4', isFolded ? 'hidden target:grid has-target:grid' : 'grid')}
    >
      {!isSmall && (
        <h2 className={isFolded ? 'sr-only' : 'text-title'}>
          {say(order.changes?.objection === null ? 'Change order' : 'Correct your details')}
        </h2>
      )}
      {done && <Notice tone="calm">{done}</Notice>}
      <div className={classNames('empty:hidden', !isSmall && 'border-t border-line')}>
        {isChangeable && isHydrated && (
          <Suspense>
            <Accordion title={say('Change size, color or quantity')}>
              <ChangeItems key={changes} lines={order.lines} onWish={(lines) => show({ lines })} />
            </Accordion>
          </Suspense>
        )}
        {can.correctAddress && (
          <Accordion id={CORRECT_ADDRESS} title={say('Correct the address')} open={needsAddress}>
            <p className="-mt-1 mb-5 max-w-[40em] text-ink-soft">
              {isChangeable
                ? say(
                    'In another country or state, tax and shipping are computed again, and you see the difference first.',
                  )
                : stayText(order)}
            </p>
            <CorrectAddress
              country={countryCode}
              {...(isChangeable && { countries: mainCountries })}
              asksTaxNumber
              send={async (recipient) => {
                if (isChangeable) return show({ recipient })
                setDone(sayKnown((await api('POST /api/order/address', { body: { ...orderKey, ...recipient } })).done))
                return reload()
              }}
            />
          </Accordion>
        )}
        {can.correctEmail && (
          <Accordion title={say('Correct the email')} isSmall={isSmall}>
            <CorrectEmail
              hint={say('Links in our earlier emails stop working. We’ll send a new one to this address.')}
              send={async (email) => {
                setDone(sayKnown((await api('POST /api/order/email', { body: { ...orderKey, email } })).done))
                // A new email revokes the link that opened this page: a reload would fail.
                if (orderKey.token === undefined) await reload()
              }}
            />
          </Accordion>
        )}
        {isChangeable && isHydrated && (
          <Suspense>
            <Accordion title={say('Correct the phone number')}>
              <CorrectPhone send={(phone) => change({ phone }, ZERO)} />
            </Accordion>
          </Suspense>
        )}
      </div>
      <Dialog open={preview !== undefined} onClose={() => setPreview(undefined)} title={say('Check the change')}>
        {preview && (
          <Suspense>
            <ConfirmOwnChange
              before={amountsOf(order)}
              preview={preview}
              send={() => change(preview.wish, preview.difference)}
              onBack={() => setPreview(undefined)}
            />
          </Suspense>
        )}
      </Dialog>
    </div>
  )
}

/** What became of a change that is done. */
function changedText(isAddress: boolean, difference: Cents): string {
  const done = isAddress
    ? say('Thank you. We’ll ship your order to this address.')
    : say('Thank you. Your order is changed.')
  if (difference >= ZERO) return done
  return `${done} ${say('{amount} is on its way back to you.', { amount: formatUsd(negate(difference)) })}`
}

function stayText({ countryCode }: OrderView): string {
  const country = countryName(countryCode)
  if (countryCode === 'US')
    return say(
      'The price stays what you paid, so the address has to stay in {country} and in the same state. Moving farther? Write to us.',
      { country },
    )
  if (countryCode === 'CA')
    return say(
      'The price stays what you paid, so the address has to stay in {country} and in the same province. Moving farther? Write to us.',
      { country },
    )
  return say('The price stays what you paid, so the address has to stay in {country}. Moving farther? Write to us.', {
    country,
  })
}

/** As previews have them: shipping with its surcharges. */
const amountsOf = ({ amounts }: OrderView) => ({
  ...amounts,
  shipping: plus(amounts.shipping, sum(amounts.surcharges.map(({ amount }) => amount))),
})
