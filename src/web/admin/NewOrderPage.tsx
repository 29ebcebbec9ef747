import { useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { PHONE_ORDER_DAYS } from '#domain/checkout/phone-order.ts'
import { languageNames, languages, type Language } from '#shared/language.ts'
import { formatUsd, plus, type Cents } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { AddressFields } from '#web/checkout/AddressFields.tsx'
import { refusedFields, wireCustomer } from '#web/checkout/customer-form.ts'
import { useCustomerForm } from '#web/checkout/use-customer-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Select } from '#web/ui/Select.tsx'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { costSentence } from './cost-sentence.ts'
import { PieceChooser, type ChosenPiece } from './PieceChooser.tsx'
import { useAction } from './use-action.ts'
import { useMay } from './use-may.ts'

const kinds = [
  { kind: 'sample', text: 'Sample', hint: 'for you, or somebody who photographs it' },
  { kind: 'gift', text: 'Gift', hint: 'for a fan; the email says that it is one' },
  { kind: 'phone', text: 'By phone', hint: 'the customer pays by an emailed link' },
] as const
type Kind = (typeof kinds)[number]['kind']

/** `/admin/orders/new`: an order without a payment, or one taken by phone. */
export function NewOrderPage() {
  const api = useApi()
  const navigate = useNavigate()
  const { act, run, reset, busy, failure } = useAction()
  const formRef = useRef<HTMLFormElement>(null)
  const state = useCustomerForm()
  const { form, change, errorOf, mistakes } = state
  const mayGiveAway = useMay()('owner')
  const [kind, setKind] = useState<Kind>(mayGiveAway ? 'sample' : 'phone')
  const [pieces, setPieces] = useState<ChosenPiece[]>([])
  const [reason, setReason] = useState('')
  const [requestKey] = useState(() => crypto.randomUUID())
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [partnerLink, setPartnerLink] = useState('')
  const [language, setLanguage] = useState<Language>('en')
  const [preview, setPreview] = useState<{ cost: Cents | null } | { toPay: OrderSummary }>()
  const isByPhone = kind === 'phone'

  const { email, name, shippingAddress, tax_number } = { tax_number: '', ...wireCustomer(form) }
  const customer = { email, name, shippingAddress, language, ...(tax_number && { tax_number }) }
  const lines = pieces.map(({ variantId, quantity }) => ({ variantId, quantity }))
  const pieceError = isSubmitted && pieces.length === 0 ? 'Please add a product' : undefined
  const reasonError = isSubmitted && !isByPhone && reason.trim() === '' ? 'Please enter a reason' : undefined

  const refused = async <Answer,>(send: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await send()
    } catch (error) {
      const fields = Object.entries(fieldsOf(error)).map(([path, text]) => [path.replace(/^customer\./, ''), text])
      change({ kind: 'refused', fields: refusedFields(Object.fromEntries(fields)) })
      throw error
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    change({ kind: 'submitted' })
    const [first] = mistakes.keys()
    if (first !== undefined || pieces.length === 0 || (!isByPhone && reason.trim() === '')) {
      const field = formRef.current?.elements.namedItem(pieces.length === 0 ? 'piece' : (first ?? 'reason'))
      if (field instanceof HTMLElement) field.focus()
      return
    }
    void run(async () => {
      setPreview(
        await refused(async () =>
          isByPhone
            ? { toPay: await api('POST /api/admin/phone-orders/preview', { body: { lines, customer } }) }
            : api('POST /api/admin/free-orders/preview', { body: { lines, shippingAddress } }),
        ),
      )
    })
  }
  const place = async () => {
    if (isByPhone) {
      const body = { lines, customer, partnerLink, requestKey }
      if (await act(() => refused(() => api('POST /api/admin/phone-orders', { body }))))
        await navigate(paths.adminOrders)
      return
    }
    const answer = await act(() =>
      refused(() => api('POST /api/admin/free-orders', { body: { kind, lines, customer, reason, requestKey } })),
    )
    if (answer && 'orderNumber' in answer) await navigate(paths.adminOrder(String(answer.orderNumber)))
  }

  return (
    <AdminFrame title="New order">
      <p className="mb-8 max-w-[44em] text-ink-soft">
        Samples and gifts have no payment: we pay the printer, and they appear in no sum of sales. An order by phone is
        made once its customer has paid. To replace pieces of an order, press Replace on its page.
      </p>
      <form
        ref={formRef}
        noValidate
        aria-label="New order"
        className="grid max-w-[38rem] gap-8"
        onSubmit={submit}
        onChange={() => {
          setPreview(undefined)
          reset()
        }}
      >
        <fieldset className="grid gap-1">
          <legend className="mb-3 text-[1.25rem] font-semibold">Kind</legend>
          {kinds
            .filter((choice) => mayGiveAway || choice.kind === 'phone')
            .map((choice) => (
              <label key={choice.kind} className="flex min-h-11 items-center gap-3">
                <input
                  type="radio"
                  name="kind"
                  value={choice.kind}
                  checked={choice.kind === kind}
                  onChange={() => setKind(choice.kind)}
                  className="size-5 accent-strong"
                />
                {choice.text}: {choice.hint}
              </label>
            ))}
        </fieldset>
        <PieceChooser
          pieces={pieces}
          error={pieceError}
          onPieces={(chosen) => {
            setPieces(chosen)
            setPreview(undefined)
          }}
        />
        <fieldset className="grid gap-5">
          <legend className="mb-3 text-[1.25rem] font-semibold">Goes to</legend>
          <Field
            label="Email"
            name="email"
            type="email"
            required
            autoComplete="off"
            value={form.email}
            error={errorOf('email')}
            hint="Gets the emails about the order."
            onValue={(value) => change({ kind: 'typed', name: 'email', value })}
            onLeave={() => change({ kind: 'left', name: 'email' })}
          />
          <Field
            label="Full name"
            name="name"
            required
            maxLength={120}
            autoComplete="off"
            value={form.name}
            error={errorOf('name')}
            onValue={(value) => change({ kind: 'typed', name: 'name', value })}
            onLeave={() => change({ kind: 'left', name: 'name' })}
          />
          <Select
            label="Language"
            name="language"
            hint="Of what we write to them."
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
            value={language}
            onValue={setLanguage}
          />
          <AddressFields name="shippingAddress" section="shipping" state={state} onLeave={() => undefined} />
        </fieldset>
        {isByPhone ? (
          <Field
            label="Partner’s link"
            optional
            name="partnerLink"
            maxLength={60}
            autoComplete="off"
            value={partnerLink}
            hint="The end of a partner’s link whose sale this is. Without it, nobody gets a commission."
            onValue={setPartnerLink}
          />
        ) : (
          <Field
            label="Reason"
            name="reason"
            required
            maxLength={300}
            autoComplete="off"
            value={reason}
            error={reasonError}
            hint="Internal. It becomes a note on the order."
            onValue={setReason}
          />
        )}
        {failure && <Notice>{failure.sentence}</Notice>}
        {preview ? (
          <div className="grid gap-5">
            {'toPay' in preview ? (
              <Notice tone="calm" title="What the customer pays">
                {payableSentence(preview.toPay)}
              </Notice>
            ) : (
              <Notice tone="calm" title="What it costs us">
                {costSentence(preview.cost)}
              </Notice>
            )}
            <div>
              <Button busy={busy} onClick={() => void place()}>
                {isByPhone ? 'Send the payment link' : 'Order it'}
              </Button>
            </div>
          </div>
        ) : (
          <div>
            <Button type="submit" busy={busy}>
              {isByPhone ? 'See the total' : 'See the cost'}
            </Button>
          </div>
        )}
      </form>
    </AdminFrame>
  )
}

const payableSentence = ({ subtotal, shipping, tax, vatProtection, total }: OrderSummary): string =>
  `${formatUsd(total)}: ${formatUsd(subtotal)} for the products, ${formatUsd(shipping)} for shipping and ${formatUsd(plus(tax, vatProtection))} tax. The link works for ${PHONE_ORDER_DAYS} days, at the prices of the day it is paid.`
