import { useEffect, useState, type ReactNode } from 'react'
import { knownCollections } from '#site/collections/known.ts'
import { label } from '#site/label.ts'
import { themeProperties } from '#domain/catalog/theme-properties.ts'
import { cents, sum, type Cents } from '#shared/money.ts'
import { ColorSwatches } from '#web/catalog/ColorSwatches.tsx'
import { Accordion } from '#web/ui/Accordion.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button, buttonClass, type ButtonVariant } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Drawer } from '#web/ui/Drawer.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Price } from '#web/ui/Price.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { Stars } from '#web/ui/Stars.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toast.tsx'

/** Every component of `src/web/ui` in every state and every collection's colors. */
export function StyleGuide() {
  return (
    <>
      <Head />
      <main className="shell grid gap-16 py-14">
        <Colors />
        <Type />
        <Shapes />
        <Buttons />
        <Fields />
        <Choices />
        <Signs />
        <Waiting />
        <Tables />
        <Folding />
        <Overlays />
      </main>
    </>
  )
}

function Head() {
  const [worn, setWorn] = useState('rudy')
  useEffect(() => {
    const theme = knownCollections.find(({ id }) => id === worn)
    if (!theme) return
    const { style } = document.documentElement
    for (const [name, value] of Object.entries(themeProperties(theme))) style.setProperty(name, value)
  }, [worn])
  return (
    <header className="on-dark sticky top-0 z-10 bg-charcoal text-ivory">
      <div className="shell flex flex-wrap items-center justify-between gap-x-8 gap-y-2 py-4">
        <h1 className="font-display text-[1.5rem]">{label.name}: style guide</h1>
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="sr-only">Collection</legend>
          {knownCollections.map(({ id, displayName }) => (
            <label
              key={id}
              className="inline-flex min-h-11 items-center rounded-full border border-ivory/50 px-4 has-checked:bg-ivory has-checked:text-charcoal has-focus-visible:outline-2 has-focus-visible:outline-gold"
            >
              <input
                type="radio"
                name="collection"
                checked={worn === id}
                onChange={() => setWorn(id)}
                className="sr-only"
              />
              {displayName}
            </label>
          ))}
        </fieldset>
      </div>
    </header>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-6">
    <h2 className="border-b border-line pb-3 text-title">{title}</h2>
    {children}
  </section>
)

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-3 sm:grid-cols-[9rem_1fr] sm:items-center">
    <p className="text-sm text-ink-soft">{name}</p>
    <div className="flex flex-wrap items-center gap-4">{children}</div>
  </div>
)

const colors = [
  ['bg-strong', 'strong'],
  ['bg-second', 'second'],
  ['bg-accent', 'accent'],
  ['bg-ground', 'ground'],
  ['bg-surface', 'surface'],
  ['bg-button', 'button'],
  ['bg-button-hover', 'button-hover'],
  ['bg-button-quiet', 'button-quiet'],
  ['bg-line', 'line'],
  ['bg-ink', 'ink'],
  ['bg-ink-soft', 'ink-soft'],
  ['bg-charcoal', 'charcoal'],
  ['bg-ivory', 'ivory'],
  ['bg-gold', 'gold'],
  ['bg-danger', 'danger'],
  ['bg-danger-soft', 'danger-soft'],
  ['bg-good', 'good'],
] as const

const Colors = () => (
  <Section title="Colors, by what they are for">
    <ul className="grid grid-cols-3 gap-4 sm:grid-cols-6 lg:grid-cols-9">
      {colors.map(([paint, name]) => (
        <li key={name} className="grid gap-1.5 text-sm">
          <span className={`block aspect-square rounded-card border border-line ${paint}`} />
          {name}
        </li>
      ))}
    </ul>
  </Section>
)

const Type = () => (
  <Section title="Type">
    <div className="grid gap-6">
      <p className="font-display text-display font-[480] tracking-[-0.018em]">Display: asleep on the news</p>
      <p className="font-display text-headline font-[480] tracking-[-0.018em]">Headline: one collection per animal</p>
      <p className="font-display text-title font-[480] tracking-[-0.018em]">Title: what happens next?</p>
      <p className="eyebrow text-ink-soft">Eyebrow: coming soon</p>
      <p className="max-w-[38em] text-lg">Large: each piece is made after you order it and sent wherever you are.</p>
      <p className="max-w-[38em]">
        Text: the mesh lets warm air out, the curved brim keeps bad news from getting in, and{' '}
        <a href="#type" className="link-line">
          a link
        </a>{' '}
        is underlined in the accent.
      </p>
      <p className="text-sm text-ink-soft">Small: shipping is free. You see the taxes before you pay.</p>
    </div>
  </Section>
)

const Shapes = () => (
  <Section title="Corners, shadows, patterns">
    <div className="grid gap-6 sm:grid-cols-3">
      <div className="rounded-card border border-line bg-surface p-6 shadow-card">Card</div>
      <div className="rounded-card plate p-6">Plate: a picture stands on it</div>
      <div className="on-dark rounded-card bg-strong pattern p-6 text-ivory">Hero with the pattern</div>
    </div>
  </Section>
)

const looks: readonly ButtonVariant[] = ['primary', 'quiet', 'outline', 'plain']

const Buttons = () => (
  <Section title="Button, IconButton">
    {looks.map((look) => (
      <Row key={look} name={look}>
        <Button variant={look}>At rest</Button>
        <Button variant={look} busy>
          Busy
        </Button>
        <Button variant={look} aria-disabled>
          Not now
        </Button>
        <Button variant={look} disabled>
          Disabled
        </Button>
        <a href="#buttons" className={buttonClass(look)}>
          Link
        </a>
      </Row>
    ))}
    <Row name="icon">
      <IconButton icon="close" label="Close" />
      <IconButton icon="bin" label="Remove" />
      <IconButton icon="plus" label="One more" idle />
    </Row>
  </Section>
)

function Fields() {
  const [text, setText] = useState('Ada Lovelace')
  const [country, setCountry] = useState('US')
  const countries = [
    { value: 'US', label: 'United States' },
    { value: 'AU', label: 'Australia' },
  ]
  return (
    <Section title="Field, TextArea, Select">
      <div className="grid items-start gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="At rest" value={text} onValue={setText} />
        <Field label="Empty" value="" placeholder="Search all products..." onValue={setText} />
        <Field label="Optional, with a hint" optional hint="Only for the courier." value="" onValue={setText} />
        <Field label="Wrong" error="Please enter a valid email address" value="ada@" onValue={setText} />
        <Field label="Disabled" disabled value="Locked" onValue={setText} />
        <TextArea label="Several lines" rows={5} defaultValue={'Dear Pawtelier,\nmy hat is too good.'} />
        <Select label="List" value={country} options={countries} onValue={setCountry} />
        <Select label="List, wrong" error="Required" value={country} options={countries} onValue={setCountry} />
        <TextArea label="Several lines, wrong" error="Message must be at least 10 characters" defaultValue="Hello" />
      </div>
    </Section>
  )
}

function Choices() {
  const [ticked, setTicked] = useState(true)
  const [color, setColor] = useState('Navy')
  const swatches = [
    { name: 'Charcoal', hex: '#3a3835', state: 'available' },
    { name: 'Navy', hex: '#26324d', state: 'available' },
    { name: 'Forest', hex: '#2f4a36', state: 'sold_out' },
    { name: 'Ivory', hex: '#f1e9d8', state: 'not_made' },
    { name: 'Unknown dye', hex: null, state: 'available' },
  ] as const
  return (
    <Section title="Checkbox, swatches">
      <Row name="checkbox">
        <Checkbox label="Ticked" checked={ticked} onChecked={setTicked} />
        <Checkbox label="Not ticked" checked={!ticked} onChecked={(value) => setTicked(!value)} />
        <Checkbox
          label="Wrong"
          checked={false}
          error="Please agree to the terms and conditions to continue."
          onChecked={() => setTicked(true)}
        />
      </Row>
      <Row name="large">
        <ColorSwatches swatches={swatches} chosen={color} onChoose={setColor} />
      </Row>
      <Row name="small">
        <ColorSwatches swatches={swatches} chosen={color} onChoose={setColor} size="small" />
      </Row>
    </Section>
  )
}

const icons: readonly IconName[] = [
  ...(['bag', 'search', 'menu', 'close', 'home', 'plus', 'minus', 'bin', 'left', 'right', 'down', 'out'] as const),
  ...(['mail', 'check', 'truck', 'seal', 'needle'] as const),
]

const Signs = () => (
  <Section title="Badge, Stars, Price, Icon">
    <Row name="badge">
      <Badge metal="gold">BEST SELLER</Badge>
      <Badge metal="silver">NEW ARRIVAL</Badge>
      <Badge metal="bronze">LIMITED</Badge>
    </Row>
    <Row name="stars">
      <Stars rating={5} />
      <Stars rating={3.6} />
      <Stars rating={null} />
    </Row>
    <Row name="price">
      <Price amount={cents(3295)} />
      <Price amount={cents(2495)} from />
      <Price amount={cents(123_450)} />
    </Row>
    <Row name="icon">
      {icons.map((name) => (
        <Icon key={name} name={name} />
      ))}
    </Row>
  </Section>
)

const Waiting = () => (
  <Section title="Spinner, Skeleton">
    <Row name="spinner">
      <Spinner />
      <Spinner className="size-8" />
    </Row>
    <div className="grid gap-3 sm:w-96">
      <Skeleton className="aspect-square w-full" />
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="h-5 w-1/3" />
    </div>
  </Section>
)

type Sale = { kind: string; orders: number; revenue: Cents; last: string | null }

const sales: readonly Sale[] = [
  { kind: 'Hats', orders: 128, revenue: cents(412_690), last: 'Nov 20' },
  { kind: 'Mugs', orders: 9, revenue: cents(38_110), last: 'Nov 18' },
  { kind: 'Blankets', orders: 0, revenue: cents(0), last: null },
]

const saleColumns: readonly [Column<Sale>, ...Column<Sale>[]] = [
  { key: 'kind', title: 'Kind', cell: (row) => row.kind, sortBy: (row) => row.kind },
  {
    key: 'orders',
    title: 'Orders',
    cell: (row) => row.orders,
    sortBy: (row) => row.orders,
    isNumber: true,
    total: 137,
  },
  {
    key: 'revenue',
    title: 'Revenue',
    cell: (row) => <Price amount={row.revenue} />,
    sortBy: (row) => row.revenue,
    isNumber: true,
    total: <Price amount={sum(sales.map(({ revenue }) => revenue))} />,
  },
  { key: 'last', title: 'Last order', cell: (row) => row.last ?? 'No orders', isNumber: true },
]

const keyOfSale = ({ kind }: Sale) => kind

const Tables = () => (
  <Section title="Table">
    <Table
      caption="Sorted, with totals"
      columns={saleColumns}
      rows={sales}
      keyOf={keyOfSale}
      totalTitle="All"
      sorting={{ key: 'revenue', direction: 'descending' }}
      empty="No orders in this period."
    />
    <div className="max-w-80">
      <Table
        caption="Narrower than its columns"
        columns={saleColumns}
        rows={sales}
        keyOf={keyOfSale}
        empty="No orders in this period."
      />
    </div>
    <Table caption="Empty" columns={saleColumns} rows={[]} keyOf={keyOfSale} empty="No orders in this period." />
  </Section>
)

const Folding = () => (
  <Section title="Accordion">
    <div className="max-w-xl">
      <Accordion title="Open" open>
        Structured trucker cap, open mesh back, snap closure.
      </Accordion>
      <Accordion title="Folded">One size for heads of most opinions.</Accordion>
    </div>
  </Section>
)

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'drawer'>()
  const { toast } = useToast()
  const close = () => setOpen(undefined)
  return (
    <Section title="Dialog, Drawer, Toast">
      <div className="flex flex-wrap gap-4">
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen('dialog')}>
          Open a dialog
        </Button>
        <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen('drawer')}>
          Open a drawer
        </Button>
        <Button
          variant="quiet"
          onClick={() => toast({ title: 'Message sent!', description: 'Thank you for your message.' })}
        >
          Toast
        </Button>
        <Button
          variant="quiet"
          onClick={() => toast({ title: 'Hat removed', action: { label: 'Undo', onAct: close } })}
        >
          Toast with an action
        </Button>
        <Button
          variant="quiet"
          onClick={() =>
            toast({
              title: 'Error',
              description: 'Failed to add item to cart. Please try again.',
              destructive: true,
            })
          }
        >
          Destructive toast
        </Button>
      </div>
      <Dialog open={open === 'dialog'} onClose={close} title="Size guide">
        <p>Esc and a click beside it close it; the focus goes back to the button.</p>
      </Dialog>
      <Drawer
        open={open === 'drawer'}
        onClose={close}
        title="Shopping Cart (0 items)"
        footer={<Button>Proceed</Button>}
      >
        <p className="py-6">What scrolls stays between head and foot.</p>
      </Drawer>
    </Section>
  )
}
