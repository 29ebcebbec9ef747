import { useState } from 'react'
import type { CollectionInput } from '#contract/admin-collections.ts'
import { copyChannels, partnerTextsOf } from '#site/partnership.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import type { Update } from './CollectionEditor.tsx'

type Props = { collection: CollectionInput; update: Update }
type TextName = {
  [Name in keyof CollectionInput]: CollectionInput[Name] extends string ? Name : never
}[keyof CollectionInput]
type Row = { name: TextName; label: string; hint?: string; rows?: number }

const pageTexts: readonly Row[] = [
  { name: 'heroTitle', label: 'Title of its page' },
  { name: 'heroSubtitle', label: 'Below the title' },
  { name: 'description', label: 'Description', rows: 3, hint: 'On its page, the home page and in search engines.' },
  { name: 'welcomeMessage', label: 'Welcome' },
  { name: 'storyTitle', label: 'Title of the story' },
  { name: 'story', label: 'Story', rows: 6, hint: 'An empty line begins a paragraph. Empty: no story.' },
  {
    name: 'beginning',
    label: 'How the label began with it',
    hint: 'On the About page, if it is the first collection.',
  },
  { name: 'origin', label: 'How it joined', hint: 'On the About page after its name: “followed his nose”.' },
]

const linkTexts: readonly Row[] = [
  { name: 'petName', label: 'What the animal is called' },
  { name: 'socialHashtag', label: 'Hashtag' },
  { name: 'channelName', label: 'Video channel' },
  { name: 'channelUrl', label: 'Address of the channel', hint: 'Begins with https://' },
  { name: 'seoTitle', label: 'Title for search engines', hint: 'Empty: the name in full.' },
  { name: 'seoDescription', label: 'Description for search engines', rows: 2, hint: 'Empty: the description.' },
]

const orderTexts: readonly Row[] = [
  { name: 'emailSubject', label: 'Subject of the confirmation email', hint: '{orderId} is the order’s number.' },
  { name: 'emailThankYouMessage', label: 'Thank-you in the confirmation email', rows: 2 },
  { name: 'successMessage', label: 'After the payment', rows: 2 },
  { name: 'supportMessage', label: 'Beside the contact link' },
]

const promisesIn = (text: string): CollectionInput['promises'] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [figure = '', ...rest] = line.split('|')
      return { figure: figure.trim(), text: rest.join('|').trim() }
    })

/** All texts of a collection, folded where they have good defaults. */
export function CollectionTexts({ collection, update }: Props) {
  const [words, setWords] = useState<string>()
  const [promises, setPromises] = useState<string>()
  const rows = (list: readonly Row[]) =>
    list.map((row) => <Text key={row.name} row={row} collection={collection} update={update} />)
  return (
    <>
      <fieldset className="grid gap-5">
        <legend className="mb-4 text-[1.375rem] font-semibold">Texts of its page</legend>
        {rows(pageTexts)}
        <TextArea
          name="promises"
          label="Promises beside the story"
          hint="One per line, figure and text: 0 | forecasts given"
          rows={2}
          value={promises ?? collection.promises.map(({ figure, text }) => `${figure} | ${text}`).join('\n')}
          onValue={(text) => {
            setPromises(text)
            update({ promises: promisesIn(text) })
          }}
        />
        <Checkbox
          label="Welcome and description stand above the products"
          name="hasIntro"
          checked={collection.hasIntro}
          onChecked={(hasIntro) => update({ hasIntro })}
        />
      </fieldset>
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 text-[1.375rem] font-semibold">Search and links</legend>
        <Field
          label="Search words"
          name="keywords"
          autoComplete="off"
          className="sm:col-span-2"
          value={words ?? collection.keywords.join(', ')}
          hint="With commas between them."
          onValue={(text) => {
            setWords(text)
            update({ keywords: text.split(',').flatMap((word) => word.trim().toLowerCase() || []) })
          }}
        />
        {rows(linkTexts)}
      </fieldset>
      <fieldset className="grid gap-5">
        <legend className="mb-4 text-[1.375rem] font-semibold">Orders and emails</legend>
        {rows(orderTexts)}
      </fieldset>
      <TextsForPartners collection={collection} update={update} />
    </>
  )
}

function TextsForPartners({ collection, update }: Props) {
  const { partnerTexts } = collection
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-4 text-[1.375rem] font-semibold">Texts for partners</legend>
      <Checkbox
        label="Own texts, instead of those made of its name"
        name="hasPartnerTexts"
        checked={partnerTexts !== null}
        onChecked={(hasOwn) => update({ partnerTexts: hasOwn ? partnerTextsOf(collection) : null })}
      />
      {partnerTexts &&
        copyChannels.map(({ id, title, hint }) => (
          <TextArea
            key={id}
            label={title}
            name={`partnerTexts.${id}`}
            hint={`${hint} {link} is the partner’s own link.`}
            rows={3}
            value={partnerTexts[id]}
            onValue={(text) => update({ partnerTexts: { ...partnerTexts, [id]: text } })}
          />
        ))}
    </fieldset>
  )
}

function Text({ row: { name, label, hint, rows }, collection, update }: Props & { row: Row }) {
  const onValue = (text: string) => update({ [name]: text })
  return rows === undefined ? (
    <Field label={label} name={name} hint={hint} autoComplete="off" value={collection[name]} onValue={onValue} />
  ) : (
    <TextArea label={label} name={name} hint={hint} rows={rows} value={collection[name]} onValue={onValue} />
  )
}
