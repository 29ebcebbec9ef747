import { useState } from 'react'
import { settingList, type SettingField, type SettingForm, type SettingName } from '#contract/settings.ts'
import { cents, centsFromDecimal, decimalFromCents } from '#shared/money.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import type { TypedFields } from '#web/ui/use-form.ts'
import { LogoInput } from './LogoInput.tsx'
import { OrderInput } from './OrderInput.tsx'
import { PictureInput } from './PictureInput.tsx'
import { RatesFile } from './RatesFile.tsx'

type Props = {
  name: SettingName
  /** When the form opened. */
  value: unknown
  /** What another owner saved meanwhile. */
  other: unknown
}

/** A setting's fields. Their names are the paths of the values in the request, so refusals appear beside them. */
export function SettingInput({ name, value, other }: Props) {
  const { label, hint: where, form } = settingList[name]
  const hint = other === undefined ? where : `Saved meanwhile by another owner: ${textOf(other)}`
  const path = `${name}.value`
  switch (form.kind) {
    case 'line':
      return <Field label={label} hint={hint} name={path} defaultValue={String(value)} className="w-full" />
    case 'logo':
      return <LogoInput {...{ label, hint, value }} name={path} />
    case 'picture':
      return <PictureInput {...{ label, hint, value }} name={path} />
    case 'number':
      return <Field label={label} hint={hint} name={path} defaultValue={String(value)} inputMode="numeric" />
    case 'amount':
      return <Field label={label} hint={hint} name={path} defaultValue={amountText(value)} inputMode="decimal" />
    case 'choice':
      return (
        <Select
          label={label}
          hint={hint}
          name={path}
          defaultValue={String(value)}
          options={Object.entries(form.options).map(([option, text]) => ({ value: option, label: text }))}
        />
      )
    case 'fields':
      return (
        <fieldset className="w-full">
          <Legend label={label} hint={hint} />
          <Row fields={form.fields} path={path} row={value} />
        </fieldset>
      )
    case 'rows':
      return <Rows label={label} hint={hint} form={form} path={path} rows={Array.isArray(value) ? value : []} />
    case 'order':
      return (
        <fieldset className="w-full">
          <Legend label={label} hint={hint} />
          <OrderInput name={path} options={form.options} shown={Array.isArray(value) ? value.map(String) : []} />
        </fieldset>
      )
  }
}

const Legend = ({ label, hint }: { label: string; hint: string }) => (
  <>
    <legend className="font-semibold">{label}</legend>
    <p className="mb-3 text-sm text-ink-soft">{hint}</p>
  </>
)

type Fields = Readonly<Record<string, SettingField>>

const Row = ({ fields, path, row }: { fields: Fields; path: string; row: unknown }) => (
  <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
    {Object.entries(fields).map(([key, { label, isNumber }]) => (
      <Field
        key={key}
        label={label}
        name={`${path}.${key}`}
        defaultValue={lineOf(memberOf(row, key))}
        {...(isNumber && { inputMode: 'decimal' })}
      />
    ))}
  </div>
)

type RowsForm = Extract<SettingForm, { kind: 'rows' }>

type RowsProps = { label: string; hint: string; form: RowsForm; path: string; rows: readonly unknown[] }

/** Empty rows are left out, so clearing a row removes it. */
function Rows({ label, hint, form: { fields, max, row, reads }, path, rows: stored }: RowsProps) {
  const [{ rows, file }, setRead] = useState({ rows: stored, file: 0 })
  const [count, setCount] = useState(stored.length)
  return (
    <fieldset className="w-full">
      <Legend label={label} hint={`${hint} Clear a row to remove it.`} />
      {reads === 'rates' && (
        <RatesFile
          stored={stored}
          onRead={(rates) => {
            setRead({ rows: rates, file: file + 1 })
            setCount(rates.length)
          }}
        />
      )}
      <ol key={file} className="grid gap-4">
        {Array.from({ length: count }, (_, index) => (
          <li key={index}>
            <fieldset>
              <legend className="mb-1 text-sm text-ink-soft">
                {row} {index + 1}
              </legend>
              <Row fields={fields} path={`${path}.${index}`} row={rows[index]} />
            </fieldset>
          </li>
        ))}
      </ol>
      {count < max && (
        <Button type="button" variant="outline" className="mt-4" onClick={() => setCount(count + 1)}>
          Add {row.toLowerCase()}
        </Button>
      )}
    </fieldset>
  )
}

/** A setting's value from its form's fields. The server checks it. */
export function valueIn(typed: TypedFields, name: SettingName): unknown {
  const { form } = settingList[name]
  const path = `${name}.value`
  switch (form.kind) {
    case 'line':
    case 'choice':
      return typed[path] ?? ''
    case 'logo':
    case 'picture':
      return JSON.parse(typed[path] ?? 'null')
    case 'number':
      return numberIn(typed[path] ?? '')
    case 'amount':
      return centsFromDecimal((typed[path] ?? '').replace(/^\$/, '')) ?? typed[path]
    case 'order':
      return (typed[path] ?? '').split(',').filter(Boolean)
    case 'fields':
      return rowIn(typed, form.fields, path)
    case 'rows':
      return Array.from({ length: form.max }, (_, index) => rowIn(typed, form.fields, `${path}.${index}`)).filter(
        (row) => Object.values(row).some((cell) => cell !== ''),
      )
  }
}

const rowIn = (typed: TypedFields, fields: Fields, path: string): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(fields).map(([key, { isNumber }]) => {
      const text = (typed[`${path}.${key}`] ?? '').trim()
      return [key, isNumber ? numberIn(text) : text]
    }),
  )

const amountText = (value: unknown): string => (typeof value === 'number' ? decimalFromCents(cents(value)) : '')

/** What is no number stays as it is, for the server to refuse. */
const numberIn = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text

const lineOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const memberOf = (row: unknown, key: string): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, key) : undefined

/** A value as a line of text. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(textOf).join(', ') || 'none'
}
