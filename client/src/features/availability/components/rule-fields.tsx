import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { messages } from '../messages'
import { type BookingRules, choicesOf } from '../model/rules'

type RuleFieldsProps = {
  rules: BookingRules
  /** The stored value remains an option, whatever it is. */
  stored: BookingRules
  onChange: (rules: BookingRules) => void
}

const ruleNames = ['notice', 'ahead', 'buffer', 'capacity'] as const

/** The booking rules: minimum notice, how far ahead, buffer between bookings, and capacity. */
export function RuleFields({ rules, stored, onChange }: RuleFieldsProps) {
  return (
    <section aria-labelledby="rules" className="grid gap-4">
      <div className="grid gap-1">
        <h3 id="rules" className="text-xl">
          {messages.rules}
        </h3>
        <p className="max-w-text text-muted">{messages.rulesText}</p>
      </div>
      <div className="grid max-w-[44rem] gap-x-6 gap-y-5 sm:grid-cols-2">
        {ruleNames.map((rule) => {
          const { label, help, choice } = messages.rule[rule]
          return (
            <Field key={rule} label={label} help={help} className="grid-rows-[auto_1fr_auto]">
              <Select
                value={rules[rule]}
                onChange={(event) => onChange({ ...rules, [rule]: Number(event.target.value) })}
              >
                {choicesOf(rule, stored[rule]).map((value) => (
                  <option key={value} value={value}>
                    {choice(value)}
                  </option>
                ))}
              </Select>
            </Field>
          )
        })}
      </div>
    </section>
  )
}
