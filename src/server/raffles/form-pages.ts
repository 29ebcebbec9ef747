import type { RaffleEntryView, RaffleView } from '#contract/raffles.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { paths } from '#contract/paths.ts'
import { spokenAddress, spokenLocale } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { asksForState, needsState } from '#domain/checkout/address.ts'
import { postalCodeLabel, stateLabel } from '#domain/checkout/address-labels.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { asksForTaxNumber } from '#domain/checkout/tax-number.ts'
import { html, type Html } from '#server/http/html.ts'
import { plainForm, type PlainField } from '#server/http/plain-form.ts'
import { plainPage } from '#server/http/plain-page.ts'
import type { FormMistakes } from '#server/http/forms.ts'

// A raffle's forms without JavaScript, shown again with what was entered when something is wrong.

type Shown = {
  raffle: Pick<RaffleView, 'slug' | 'title' | 'countries'>
  shopName: string
  /** What was sent, by field. */
  typed: Readonly<Record<string, string>>
  mistakes: FormMistakes
}

const countryOptions = (countries: readonly string[]) =>
  countries
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, spokenLocale()))

const formPage = ({ raffle, shopName, mistakes }: Shown, heading: string, form: Html): string =>
  plainPage({
    ...{ title: `${heading} – ${raffle.title}`, shopName },
    body: html`<header class="shell py-6">
        <a class="font-display text-[1.375rem]" href="${spokenAddress(paths.home)}">${shopName}</a>
      </header>
      <main class="shell grid content-center justify-items-start gap-5 pt-10 pb-16 sm:pt-14">
        <p class="eyebrow text-ink-soft">${raffle.title}</p>
        <h1 class="text-headline">${heading}</h1>
        <p role="alert" class="max-w-[38em] rounded-card border border-danger/60 bg-danger-soft p-4 text-charcoal">
          ${mistakes.sentence} ${say('What you entered is still here.')}
        </p>
        ${form}
        <p>
          <a class="link-line" href="${spokenAddress(rafflePaths.page(raffle.slug))}">${say('Back to the raffle')}</a>
        </p>
      </main>`,
  })

/** The form of an entry, again. */
export function entryAgain(shown: Shown): string {
  const { raffle, typed, mistakes } = shown
  const field = (name: string) => ({ name, value: typed[name] ?? '', error: mistakes.fields[name] })
  const fields: PlainField[] = [
    { ...field('email'), label: say('Email'), type: 'email', autoComplete: 'email' },
    { ...field('country'), label: say('Country'), autoComplete: 'country', options: countryOptions(raffle.countries) },
    { ...field('bornOn'), label: say('Date of birth'), type: 'date', autoComplete: 'bday' },
  ]
  const tick = html`<label class="flex min-h-11 items-start gap-3 py-2 leading-snug">
    <input
      type="checkbox"
      name="agrees"
      value="yes"
      required
      ${typed['agrees'] === 'yes' && html`checked`}
      class="mt-0.5 size-5 shrink-0 accent-strong"
    />
    <span>
      ${say(
        'I agree to the rules, and neither I nor anybody in my household works for the shop or the channel that announces the raffle.',
      )}${
        mistakes.fields['agrees'] !== undefined &&
        html` <strong class="text-sm font-medium text-danger">${mistakes.fields['agrees']}</strong>`
      }
    </span>
  </label>`
  return formPage(
    shown,
    say('Enter for free'),
    plainForm({
      ...{
        action: spokenAddress(rafflePaths.page(raffle.slug)),
        hidden: {},
        fields,
        children: tick,
        button: say('Enter the raffle'),
      },
    }),
  )
}

/** The form that claims a prize, again. It asks for all that any of the raffle's countries needs: its fields can't follow the choice. */
export function claimAgain({
  token,
  variants,
  ...shown
}: Shown & { token: string; variants: NonNullable<RaffleEntryView['prize']>['variants'] }): string {
  const { raffle, typed, mistakes } = shown
  const field = (name: string) => ({ name, value: typed[name] ?? '', error: mistakes.fields[name] })
  const of = (part: string) => field(`shippingAddress.${part}`)
  const country = of('country').value
  const fields: PlainField[] = [
    { ...field('name'), label: say('Full name'), autoComplete: 'name' },
    ...(variants.length > 1
      ? [
          {
            ...field('variantId'),
            label: say('Color and size'),
            options: variants.map(({ id, name }) => ({ value: String(id), label: sayVariant(name) })),
          },
        ]
      : []),
    { ...of('country'), label: say('Country'), autoComplete: 'country', options: countryOptions(raffle.countries) },
    { ...of('line1'), label: say('Address'), autoComplete: 'address-line1' },
    { ...of('line2'), label: say('Apartment, suite, floor'), autoComplete: 'address-line2', isOptional: true },
    { ...of('city'), label: say('City'), autoComplete: 'address-level2' },
    {
      ...{ ...of('state'), autoComplete: 'address-level1', isOptional: !needsState(country) },
      label: asksForState(country) ? stateLabel(country) : say('State or province'),
    },
    { ...of('postal_code'), label: postalCodeLabel(country), autoComplete: 'postal-code' },
    ...(raffle.countries.some(asksForTaxNumber)
      ? [{ ...field('tax_number'), label: say('CPF or CNPJ'), isOptional: !asksForTaxNumber(country) }]
      : []),
  ]
  const hidden = {
    ...{ wish: 'claim', token },
    ...(variants.length === 1 && { variantId: String(variants[0]?.id) }),
  }
  return formPage(
    shown,
    say('Where should it go?'),
    plainForm({ action: spokenAddress(rafflePaths.entry), hidden, fields, button: say('Claim my prize') }),
  )
}
