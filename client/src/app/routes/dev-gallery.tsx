import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { DataTable, type Sort } from '@/components/data-table'
import { PageHeader } from '@/components/page-header'
import { TileCover } from '@/components/tile/tile-cover'
import { tileCategories } from '@/components/tile/tile-spec'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { DatePicker } from '@/components/ui/date-picker'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Pagination } from '@/components/ui/pagination'
import { Rating } from '@/components/ui/rating'
import { Select } from '@/components/ui/select'
import { Tabs } from '@/components/ui/tabs'
import { Textarea } from '@/components/ui/textarea'
import { showToast } from '@/components/ui/toast'
import { Tooltip } from '@/components/ui/tooltip'
import { WeekStrip } from '@/components/ui/week-strip'
import { BizCard } from '@/features/businesses/components/biz-card'

const today = '2026-11-21'

const rows = [
  { id: '1', name: 'Barbería Ribera', city: 'Barcelona', total: 34 },
  { id: '2', name: 'Casa Núria', city: 'Andorra la Vella', total: 120.5 },
]

/** Every primitive on one page, in development only. */
export function Component() {
  return (
    <div className="page grid gap-12">
      <PageHeader title="Components" text="Every primitive, to look at and try." />
      <Controls />
      <Overlays />
      <Days />
      <Lists />
      <ul className="grid grid-cols-3 gap-3 lg:grid-cols-7">
        {tileCategories.map((category) => (
          <li key={category} className="grid gap-1 text-sm">
            <TileCover category={category} className="aspect-square rounded-card" />
            <TileCover category={category} id="a" className="aspect-video rounded-card" />
            <TileCover category={category} id="n" className="aspect-video rounded-card" />
            {category}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Controls() {
  return (
    <section className="grid gap-5 sm:grid-cols-2">
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button>Book Wed 25, 11:00</Button>
        <Button variant="outline">Outline</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="soft">Soft</Button>
        <Button variant="danger">Delete photo</Button>
        <Button variant="link">Link</Button>
        <Button pending>Saving</Button>
        <Button disabled>Disabled</Button>
        <Button size="sm">Small</Button>
      </div>
      <Field label="Name" help="As it stands over the door">
        <Input placeholder="Casa Núria" />
      </Field>
      <Field label="Email" error="Plus signs not allowed in email">
        <Input defaultValue="a+b@example.org" />
      </Field>
      <Field label="Service">
        <Select defaultValue="b">
          <option value="a">Corte clásico</option>
          <option value="b">Corte y barba</option>
        </Select>
      </Field>
      <Field label="Notes">
        <Textarea placeholder="Anything to know" />
      </Field>
      <Checkbox label="Remember this device" />
      <div className="flex flex-wrap items-center gap-3">
        <Badge>neutral</Badge>
        <Badge tone="success">confirmed</Badge>
        <Badge tone="warning">pending</Badge>
        <Badge tone="danger">cancelled</Badge>
        <Badge tone="primary">12</Badge>
        <Rating value={4.3} count={1214} />
      </div>
      <Alert title="Two of your photos are still uploading">They appear when they are done.</Alert>
      <Alert tone="danger" title="Booking failed">
        Could not create your booking. Please try again.
      </Alert>
      <Alert tone="warning" title="Your session will expire soon">
        Please save your work.
      </Alert>
      <Alert tone="success" title="Booking successful">
        Your appointment has been scheduled!
      </Alert>
    </section>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'confirm' | null>(null)
  const close = () => setOpen(null)
  return (
    <section className="flex flex-wrap gap-3">
      <Button variant="outline" onClick={() => setOpen('dialog')}>
        Dialog
      </Button>
      <Button variant="outline" onClick={() => setOpen('sheet')}>
        Sheet
      </Button>
      <Button variant="outline" onClick={() => setOpen('confirm')}>
        Confirm
      </Button>
      <Button
        variant="outline"
        onClick={() => showToast({ title: 'Signed Out', text: 'See you soon', tone: 'success' })}
      >
        Toast
      </Button>
      <Tooltip text="Save for later">
        <Button variant="outline">Tooltip</Button>
      </Tooltip>
      <Dialog
        open={open === 'dialog' || open === 'sheet'}
        shape={open === 'sheet' ? 'sheet' : 'center'}
        onClose={close}
        title="Filters"
        description="They stay in the address."
        footer={<Button onClick={close}>Show 24 results</Button>}
      >
        <Field label="City">
          <Input />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        title="Delete this photo?"
        text="It disappears from your page at once and cannot be brought back."
        confirmLabel="Delete photo"
        onConfirm={close}
      />
    </section>
  )
}

function Days() {
  const [date, setDate] = useState<string | null>('2026-11-25')
  const [week, setWeek] = useState(today)
  return (
    <section className="grid max-w-md gap-5">
      <Field label="Date">
        <DatePicker value={date} onChange={setDate} today={today} min={today} />
      </Field>
      <WeekStrip
        label="Day"
        value={date}
        onChange={setDate}
        week={week}
        onWeekChange={setWeek}
        min={today}
      />
    </section>
  )
}

function Lists() {
  const [tab, setTab] = useState<'table' | 'cards'>('table')
  const [sort, setSort] = useState<Sort>({ key: 'name', descending: false })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['1']))
  const table = (
    <DataTable
      caption="Bookings"
      rows={rows}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      sort={sort}
      onSort={setSort}
      selection={{
        selected,
        onToggle: (rows, isSelected) =>
          setSelected((before) => {
            const ids = rows.map(({ id }) => id)
            return new Set(
              isSelected ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id)),
            )
          }),
      }}
      columns={[
        { key: 'name', header: 'Business', cell: (row) => row.name, isSortable: true },
        { key: 'city', header: 'City', cell: (row) => row.city },
        { key: 'total', header: 'Total', cell: (row) => row.total, align: 'end', isSortable: true },
      ]}
    />
  )
  const card = (
    <BizCard
      shape="row"
      headingLevel="h2"
      topCategory="beautysvc"
      now={new Date()}
      business={{
        id: '7f9c2ba4-e88f-427d-9b3a-2c1d5e6f7a8b',
        owner_id: null,
        name: "Associació de Fisioterapeutes de l'Eixample Dret",
        type: 'Health & Medical',
        location: 'Eixample, Barcelona',
        phone: '+34 930 000 000',
        image_url: null,
        hours: 'Mañanas, con cita',
        rating: 4.3,
        combined_rating: null,
        user_ratings_total: 214,
        category_code: null,
        time_zone: 'Europe/Madrid',
        price_from: 25,
        latitude: 41.39,
        longitude: 2.16,
      }}
    />
  )
  return (
    <section className="grid gap-8">
      <Tabs
        label="Lists"
        value={tab}
        onChange={setTab}
        tabs={[
          { key: 'table', label: 'Table', badge: <Badge tone="primary">2</Badge>, content: table },
          { key: 'cards', label: 'Cards', content: card },
        ]}
      />
      {card}
      <Pagination page={5} pages={10} hrefOf={(page) => `/dev?page=${page}`} />
    </section>
  )
}
