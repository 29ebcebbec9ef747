import { useState } from 'react'
import { centsFromDecimal } from '#shared/money.ts'
import type { Answer, Payload } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { useChange } from './use-action.ts'
import { RehearseButton } from '#web/reports/RehearseButton.tsx'
import { useFloorQuestion } from './use-floor-question.tsx'

type Choices = Answer<'GET /api/admin/codes'>['choices']
type NewCode = Payload<'POST /api/admin/codes'>['body']

const kinds = [
  { value: 'percent', label: 'Percent off' },
  { value: 'amount', label: 'Amount off' },
  { value: 'tiers', label: 'Percent off by number of pieces' },
  { value: 'buy_get', label: 'Buy some, get the cheapest free' },
  { value: 'shipping', label: 'Free shipping and surcharges' },
] as const
type Kind = (typeof kinds)[number]['value']

const PRODUCTS = 'products:'

/** A number as typed; what is no number is refused by the server, beside its field. */
const numberIn = (text: string | undefined): number => Number(text?.trim() || Number.NaN)
const limitIn = (text: string | undefined): number | null => (text?.trim() ? Number(text) : null)
const amountIn = (text: string | undefined): number =>
  centsFromDecimal((text ?? '').replace(/^\$|%$/, '')) ?? Number.NaN

/** `3: 10, 6: 15` */
const tiersIn = (text: string) =>
  text
    .split(',')
    .map((one) => one.split(':'))
    .map(([pieces, percent]) => ({ pieces: numberIn(pieces), basisPoints: amountIn(percent?.trim()) }))

function benefitIn(kind: Kind, typed: TypedFields): NewCode['benefit'] {
  if (kind === 'percent')
    // Hundredths of a percent, as cents are of a dollar.
    return { kind, basisPoints: amountIn(typed['benefit.basisPoints']) }
  if (kind === 'amount') return { kind, amount: amountIn(typed['benefit.amount']) as never }
  if (kind === 'tiers') return { kind, tiers: tiersIn(typed['benefit.tiers'] ?? '') }
  if (kind === 'buy_get') return { kind, buy: numberIn(typed['benefit.buy']), get: numberIn(typed['benefit.get']) }
  return { kind }
}

function goodsIn(goods: string, typed: TypedFields): Pick<NewCode, 'products' | 'types' | 'collections'> {
  const name = goods.slice(goods.indexOf(':') + 1)
  if (goods === PRODUCTS) return { products: (typed['products'] ?? '').split(',').map(numberIn) }
  if (goods.startsWith('type:')) return { types: [name] }
  return goods.startsWith('collection:') ? { collections: [name] } : {}
}

/** A new code. The server checks it, beside each field. */
export function NewCodeForm({ choices: { types, collections, partners } }: { choices: Choices }) {
  const api = useApi()
  const change = useChange()
  const [kind, setKind] = useState<Kind>('percent')
  const [goods, setGoods] = useState('')
  const [isFirstOrderOnly, setIsFirstOrderOnly] = useState(false)
  const [combines, setCombines] = useState(false)
  const [isAutomatic, setIsAutomatic] = useState(false)
  const { accepted, dialog } = useFloorQuestion()

  const ruleIn = (typed: TypedFields) => ({
    benefit: benefitIn(kind, typed),
    ...goodsIn(goods, typed),
    ...(typed['minimum']?.trim() && { minimum: amountIn(typed['minimum']) as never }),
    ...{ isFirstOrderOnly, combines },
    ...{ usesMax: limitIn(typed['usesMax']), usesMaxPerPerson: limitIn(typed['usesMaxPerPerson']) },
  })
  const send = (typed: TypedFields) => {
    const body = {
      ...{ code: typed['code'] ?? '', ...ruleIn(typed), isAutomatic },
      ...(!isAutomatic && typed['partnerId'] && { partnerId: Number(typed['partnerId']) as never }),
      ...{ startsOn: typed['startsOn'] || null, endsOn: typed['endsOn'] || null },
    }
    return change(() => accepted((query) => api('POST /api/admin/codes', { query, body })))
  }
  return (
    <section aria-labelledby="new-code" className="max-w-[46em]">
      <h2 id="new-code" className="mb-5 text-[1.375rem]">
        New code
      </h2>
      <ApiForm send={send} aria-labelledby="new-code" className="grid gap-5 sm:grid-cols-2">
        <Field
          label={isAutomatic ? 'Name' : 'Code'}
          name="code"
          required
          maxLength={40}
          autoComplete="off"
          hint={isAutomatic ? 'Shoppers see it. Such as Three mugs' : 'Such as RUDY10'}
        />
        <Select label="What it does" name="kind" options={kinds} value={kind} onValue={setKind} />
        {kind === 'percent' && (
          <Field label="Percent" name="benefit.basisPoints" required inputMode="decimal" hint="From 1 to 100" />
        )}
        {kind === 'amount' && (
          <Field label="US dollars" name="benefit.amount" required inputMode="decimal" hint="Such as 5.00" />
        )}
        {kind === 'tiers' && (
          <Field
            label="Pieces and percent"
            name="benefit.tiers"
            required
            hint="3: 10, 6: 15 is 10% from 3 pieces and 15% from 6"
          />
        )}
        {kind === 'buy_get' && (
          <>
            <Field label="Pieces to buy" name="benefit.buy" required inputMode="numeric" defaultValue="2" />
            <Field label="Pieces for free" name="benefit.get" required inputMode="numeric" defaultValue="1" />
          </>
        )}
        <Select
          label="For"
          name="goods"
          value={goods}
          onValue={setGoods}
          options={[
            { value: '', label: 'Everything' },
            ...collections.map(({ id, name }) => ({ value: `collection:${id}`, label: `Collection: ${name}` })),
            ...types.map(({ key, name }) => ({ value: `type:${key}`, label: `Product type: ${name}` })),
            { value: PRODUCTS, label: 'Certain products' },
          ]}
        />
        {goods === PRODUCTS && (
          <Field
            label="Numbers of the products"
            name="products"
            required
            hint="As in their addresses, with commas between"
          />
        )}
        <Field
          label="Minimum in US dollars"
          name="minimum"
          inputMode="decimal"
          hint="Of the goods it is for. Empty: none"
        />
        <Field label="First day" name="startsOn" type="date" hint="Empty: today" />
        <Field label="Last day" name="endsOn" type="date" hint="Empty: until you end it" />
        <Field label="Uses in all" name="usesMax" inputMode="numeric" hint="Empty: no limit" />
        <Field label="Uses per person" name="usesMaxPerPerson" inputMode="numeric" hint="By email. Empty: no limit" />
        {!isAutomatic && partners.length > 0 && (
          <Select
            label="Whose sale it makes"
            name="partnerId"
            hint="A code counts more than any link that was clicked."
            options={[
              { value: '', label: 'By the link that was clicked, if any' },
              ...partners.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
        <Checkbox label="In every cart it fits, without typing" checked={isAutomatic} onChecked={setIsAutomatic} />
        <Checkbox label="Only for a first order" checked={isFirstOrderOnly} onChecked={setIsFirstOrderOnly} />
        <Checkbox label="Can be used with other codes" checked={combines} onChecked={setCombines} />
        <div className="grid justify-items-start gap-4 sm:col-span-2">
          <FormNotice />
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton>Make code</SubmitButton>
            <RehearseButton change={(typed) => ({ kind: 'code', ...ruleIn(typed) })} />
          </div>
        </div>
      </ApiForm>
      {dialog}
    </section>
  )
}
