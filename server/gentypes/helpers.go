package gentypes

// helpers are the types that programs look up tables and enums with, as in Tables<"books">
// and Tables<{ schema: "archive" }, "books">.
const helpers = `type Schemas = Omit<Database, "__InternalSupabase">

type SchemaOption = { schema: keyof Schemas }

type SchemaOf<Name> = Name extends SchemaOption
  ? Schemas[Name["schema"]]
  : Schemas[Extract<keyof Schemas, "public">]

type SectionOf<Name, Section extends string> =
  SchemaOf<Name> extends { [S in Section]: infer Found } ? Found : never

type RelationsOf<Name> = SectionOf<Name, "Tables"> & SectionOf<Name, "Views">

type KeyOf<Name, Section> = Name extends SchemaOption ? keyof Section : never

type Entry<Section, Name, InSchema> = Name extends SchemaOption
  ? InSchema extends keyof Section
    ? Section[InSchema]
    : never
  : Name extends keyof Section
    ? Section[Name]
    : never

type Part<Relation, Name extends string> = Relation extends {
  [N in Name]: infer Found
}
  ? Found
  : never

export type Tables<
  Name extends keyof RelationsOf<"public"> | SchemaOption,
  InSchema extends KeyOf<Name, RelationsOf<Name>> = never,
> = Part<Entry<RelationsOf<Name>, Name, InSchema>, "Row">

export type TablesInsert<
  Name extends keyof SectionOf<"public", "Tables"> | SchemaOption,
  InSchema extends KeyOf<Name, SectionOf<Name, "Tables">> = never,
> = Part<Entry<SectionOf<Name, "Tables">, Name, InSchema>, "Insert">

export type TablesUpdate<
  Name extends keyof SectionOf<"public", "Tables"> | SchemaOption,
  InSchema extends KeyOf<Name, SectionOf<Name, "Tables">> = never,
> = Part<Entry<SectionOf<Name, "Tables">, Name, InSchema>, "Update">

export type Enums<
  Name extends keyof SectionOf<"public", "Enums"> | SchemaOption,
  InSchema extends KeyOf<Name, SectionOf<Name, "Enums">> = never,
> = Entry<SectionOf<Name, "Enums">, Name, InSchema>

export type CompositeTypes<
  Name extends keyof SectionOf<"public", "CompositeTypes"> | SchemaOption,
  InSchema extends KeyOf<Name, SectionOf<Name, "CompositeTypes">> = never,
> = Entry<SectionOf<Name, "CompositeTypes">, Name, InSchema>
`
