import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CodeToApply, type CartCodes } from '#contract/codes.ts'
import { codePaths } from '#contract/code-paths.ts'
import { effectText } from '#domain/codes/discount.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Field } from '#web/ui/Field.tsx'
import { sayMade } from '#words/say-made.ts'
import { CartToDoorPlace } from './ToDoorPlace.tsx'
import { TotalLine } from './TotalLine.tsx'
import { useCart } from './use-cart.tsx'

const cartCodesQuery = query('GET /api/cart/code')

const useCartCodes = () => useQuery({ ...cartCodesQuery, refetchOnMount: 'always' }).data

/** After the cart's codes. */
export function useTotal(): Cents {
  const { total } = useCart()
  const data = useCartCodes()
  return data && data.codes.length > 0 ? data.subtotal : total
}

/** The cart's codes, and the total after them, unless there is nothing in it. */
export function CartTotal() {
  const { lines, isChanging } = useCart()
  const data = useCartCodes()
  const total = useTotal()
  const queries = useQueryClient()
  const codes = data?.codes ?? []
  const isQuotable = lines.length > 0 && lines.every(({ available }) => available)

  // What codes and automatic discounts take off depends on the saved cart.
  useEffect(() => {
    if (lines.length > 0 && !isChanging) void queries.invalidateQueries({ queryKey: cartCodesQuery.queryKey })
  }, [lines, isChanging, queries])

  return (
    <>
      {codes.map((code) => (
        <Code key={code.code} code={code} />
      ))}
      {data?.giftCard && <GiftCard card={data.giftCard} />}
      {isQuotable ? (
        <CartToDoorPlace signature={!isChanging ? JSON.stringify([lines, codes]) : null} total={total} />
      ) : (
        lines.length > 0 && <TotalLine amount={total} />
      )}
    </>
  )
}

const useCodeCalls = () => {
  const api = useApi()
  const queries = useQueryClient()
  const show = (codes: CartCodes) => queries.setQueryData(cartCodesQuery.queryKey, codes)
  return {
    apply: async (code: string) => show(await api('POST /api/cart/code', { body: { code } })),
    removeGiftCard: async () => show(await api('DELETE /api/cart/gift-card')),
    remove: async (code: string) => show(await api('DELETE /api/cart/code', { query: { code } })),
  }
}

function Code({
  code: { code, amount, isShippingFree, isAutomatic, objection },
}: {
  code: CartCodes['codes'][number]
}) {
  const { remove } = useCodeCalls()
  return (
    <ApiForm
      method="post"
      action={spokenAddress(codePaths.cart)}
      send={() => remove(code)}
      aria-label={say('Code {code}', { code })}
      className="flex flex-wrap items-center justify-between gap-x-4 pb-1"
    >
      <input type="hidden" name="remove" value={code} />
      <p className="min-w-0 flex-1 text-[0.9375rem]">
        <span className="font-semibold">{code}</span>
        {objection === null ? (
          <span className="ml-2 text-good">{effectText(amount, isShippingFree)}</span>
        ) : (
          <span className="block text-sm text-danger">{sayMade(objection)}</span>
        )}
      </p>
      {!isAutomatic && (
        <SubmitButton variant="plain">
          {say('Remove')}
          <span className="sr-only"> {code}</span>
        </SubmitButton>
      )}
      <FormNotice />
    </ApiForm>
  )
}

/** It pays at the checkout, where shipping and tax are known. */
function GiftCard({ card: { lastFour, balance } }: { card: NonNullable<CartCodes['giftCard']> }) {
  const { removeGiftCard } = useCodeCalls()
  return (
    <ApiForm
      send={removeGiftCard}
      aria-label={say('Gift card')}
      className="flex flex-wrap items-center justify-between gap-x-4 pb-1"
    >
      <p className="min-w-0 flex-1 text-[0.9375rem]">
        <span className="font-semibold">{say('Gift card ending {digits}', { digits: lastFour })}</span>
        <span className="block text-sm text-ink-soft">
          {say('Pays up to {amount} at checkout', { amount: formatUsd(balance) })}
        </span>
      </p>
      <SubmitButton variant="plain">
        {say('Remove')}
        <span className="sr-only">{` ${say('gift card')}`}</span>
      </SubmitButton>
      <FormNotice />
    </ApiForm>
  )
}

/** The field for another code: few need it, so it stands after the way on. */
export function CodeForm() {
  const { apply } = useCodeCalls()
  return (
    <Accordion title={say('Have a discount code or gift card?')} isSmall>
      <ApiForm
        method="post"
        action={spokenAddress(codePaths.cart)}
        schema={CodeToApply}
        send={({ code }) => apply(code)}
        clears
        aria-label={say('Code')}
        className="flex flex-wrap items-end gap-3"
      >
        <Field
          label={say('Code')}
          name="code"
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="min-w-36 flex-1"
        />
        <SubmitButton variant="outline">{say('Apply')}</SubmitButton>
        <div className="w-full empty:hidden">
          <FormNotice />
        </div>
      </ApiForm>
    </Accordion>
  )
}
