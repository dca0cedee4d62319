export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  archive: {
    Tables: {
      authors: {
        Row: {
          id: number
        }
        Insert: {
          id: number
        }
        Update: {
          id?: number
        }
        Relationships: []
      }
      old_books: {
        Row: {
          book_id: string | null
          first_state: Database["public"]["Enums"]["loan_state"] | null
          id: number
          parent: number | null
          state: Database["archive"]["Enums"]["loan_state"]
          row_count: number | null
        }
        Insert: {
          book_id?: string | null
          first_state?: Database["public"]["Enums"]["loan_state"] | null
          id: number
          parent?: number | null
          state?: Database["archive"]["Enums"]["loan_state"]
        }
        Update: {
          book_id?: string | null
          first_state?: Database["public"]["Enums"]["loan_state"] | null
          id?: number
          parent?: number | null
          state?: Database["archive"]["Enums"]["loan_state"]
        }
        Relationships: [
          {
            foreignKeyName: "old_books_parent_fkey"
            columns: ["parent"]
            isOneToOne: false
            referencedRelation: "old_books"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      row_count: {
        Args: { "": Database["archive"]["Tables"]["old_books"]["Row"] }
        Returns: {
          error: true
        } & "the function archive.row_count with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      shred: {
        Args: { id: number }
        Returns: Database["archive"]["Enums"]["loan_state"]
      }
    }
    Enums: {
      loan_state: "kept" | "shredded"
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
  public: {
    Tables: {
      authors: {
        Row: {
          "1st_book": string | null
          "2": number | null
          aliases: string[]
          born: string | null
          born_time: string | null
          details: NonNullable<Json>
          id: number
          matrix: number[] | null
          more: Json | null
          naïve: boolean | null
          name: string
          "pen-name": string | null
          author_details: Json | null
        }
        Insert: {
          "1st_book"?: string | null
          "2"?: number | null
          aliases?: string[]
          born?: string | null
          born_time?: string | null
          details?: NonNullable<Json>
          id?: never
          matrix?: number[] | null
          more?: Json | null
          naïve?: boolean | null
          name: string
          "pen-name"?: string | null
        }
        Update: {
          "1st_book"?: string | null
          "2"?: number | null
          aliases?: string[]
          born?: string | null
          born_time?: string | null
          details?: NonNullable<Json>
          id?: never
          matrix?: number[] | null
          more?: Json | null
          naïve?: boolean | null
          name?: string
          "pen-name"?: string | null
        }
        Relationships: []
      }
      book_details: {
        Row: {
          book_id: string
          first_author: Database["public"]["Tables"]["authors"]["Row"] | null
          summary: string | null
        }
        Insert: {
          book_id: string
          first_author?: Database["public"]["Tables"]["authors"]["Row"] | null
          summary?: string | null
        }
        Update: {
          book_id?: string
          first_author?: Database["public"]["Tables"]["authors"]["Row"] | null
          summary?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "book_details_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: true
            referencedRelation: "book_list"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "book_details_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: true
            referencedRelation: "book_list_again"
            referencedColumns: ["book"]
          },
          {
            foreignKeyName: "book_details_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: true
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
        ]
      }
      books: {
        Row: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
          full_title: string | null
          named_title: string | null
          size_of: Database["public"]["CompositeTypes"]["dimensions"] | null
        }
        Insert: {
          address?: string | null
          author_id: number
          code?: string | null
          condition?:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions?: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover?: string | null
          created_at?: string
          editor_id?: number | null
          fixed?: string | null
          former_conditions?:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id?: string
          lent_for?: string | null
          letter?: string | null
          mark?: Database["public"]["Enums"]["shelf-mark"] | null
          next_state?: Database["public"]["Enums"]["loan_state"]
          nothing?: string | null
          number?: number
          old_states?: Database["archive"]["Enums"]["loan_state"][] | null
          packed?: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages?: number | null
          price?: number | null
          search?: never
          secrecies?: ("open" | "sealed")[] | null
          secrecy?: "open" | "sealed" | null
          serial?: number
          shelf_range?: string | null
          size?: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp?: { ink: string | null } | null
          state?: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list?: string[] | null
          title: string
          title_length?: never
          weight?: number | null
        }
        Update: {
          address?: string | null
          author_id?: number
          code?: string | null
          condition?:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions?: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover?: string | null
          created_at?: string
          editor_id?: number | null
          fixed?: string | null
          former_conditions?:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id?: string
          lent_for?: string | null
          letter?: string | null
          mark?: Database["public"]["Enums"]["shelf-mark"] | null
          next_state?: Database["public"]["Enums"]["loan_state"]
          nothing?: string | null
          number?: number
          old_states?: Database["archive"]["Enums"]["loan_state"][] | null
          packed?: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages?: number | null
          price?: number | null
          search?: never
          secrecies?: ("open" | "sealed")[] | null
          secrecy?: "open" | "sealed" | null
          serial?: number
          shelf_range?: string | null
          size?: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp?: { ink: string | null } | null
          state?: Database["public"]["Enums"]["loan_state"]
          strict_code?: string
          tag_list?: string[] | null
          title?: string
          title_length?: never
          weight?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "books_editor_id_fkey"
            columns: ["editor_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_editor_id_fkey"
            columns: ["editor_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_editor_id_fkey"
            columns: ["editor_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      copies: {
        Row: {
          book_id: string
          number: number
        }
        Insert: {
          book_id: string
          number: number
        }
        Update: {
          book_id?: string
          number?: number
        }
        Relationships: [
          {
            foreignKeyName: "copies_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: false
            referencedRelation: "book_list"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "copies_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: false
            referencedRelation: "book_list_again"
            referencedColumns: ["book"]
          },
          {
            foreignKeyName: "copies_book_id_fkey"
            columns: ["book_id"]
            isOneToOne: false
            referencedRelation: "books"
            referencedColumns: ["id"]
          },
        ]
      }
      events: {
        Row: {
          author_id: number | null
          happened_at: string
          id: number
          note: string | null
          event_year: number | null
        }
        Insert: {
          author_id?: number | null
          happened_at: string
          id: number
          note?: string | null
        }
        Update: {
          author_id?: number | null
          happened_at?: string
          id?: number
          note?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "events_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "events_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "events_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      events_2030: {
        Row: {
          author_id: number | null
          happened_at: string
          id: number
          note: string | null
        }
        Insert: {
          author_id?: number | null
          happened_at: string
          id: number
          note?: string | null
        }
        Update: {
          author_id?: number | null
          happened_at?: string
          id?: number
          note?: string | null
        }
        Relationships: []
      }
      loans: {
        Row: {
          book_id: string
          copy_number: number
          id: number
          lent_by: number | null
          state: Database["public"]["Enums"]["loan_state"] | null
        }
        Insert: {
          book_id: string
          copy_number: number
          id?: number
          lent_by?: number | null
          state?: Database["public"]["Enums"]["loan_state"] | null
        }
        Update: {
          book_id?: string
          copy_number?: number
          id?: number
          lent_by?: number | null
          state?: Database["public"]["Enums"]["loan_state"] | null
        }
        Relationships: [
          {
            foreignKeyName: "loans_lent_by_fkey"
            columns: ["lent_by"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "loans_lent_by_fkey"
            columns: ["lent_by"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "loans_lent_by_fkey"
            columns: ["lent_by"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "loans_of_a_copy"
            columns: ["book_id", "copy_number"]
            isOneToOne: true
            referencedRelation: "copies"
            referencedColumns: ["book_id", "number"]
          },
        ]
      }
      nothing: {
        Row: {}
        Insert: {}
        Update: {}
        Relationships: []
      }
      partner_books: {
        Row: {
          id: number
          state: Database["public"]["Enums"]["loan_state"] | null
          title: string | null
        }
        Insert: {
          id: number
          state?: Database["public"]["Enums"]["loan_state"] | null
          title?: string | null
        }
        Update: {
          id?: number
          state?: Database["public"]["Enums"]["loan_state"] | null
          title?: string | null
        }
        Relationships: []
      }
      partner_notes: {
        Row: {
          note: string | null
          partner: Database["public"]["Tables"]["partner_books"]["Row"] | null
        }
        Insert: {
          note?: string | null
          partner?: Database["public"]["Tables"]["partner_books"]["Row"] | null
        }
        Update: {
          note?: string | null
          partner?: Database["public"]["Tables"]["partner_books"]["Row"] | null
        }
        Relationships: []
      }
      reminders: {
        Row: {
          another_column_with_a_rather_long_name: string | null
          book_id: string
          copy_number: number
          id: number
          one_more_column_with_a_rather_long_name: number | null
        }
        Insert: {
          another_column_with_a_rather_long_name?: string | null
          book_id: string
          copy_number: number
          id?: number
          one_more_column_with_a_rather_long_name?: number | null
        }
        Update: {
          another_column_with_a_rather_long_name?: string | null
          book_id?: string
          copy_number?: number
          id?: number
          one_more_column_with_a_rather_long_name?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "reminders_another_column_with_a_rather_long_name_one_more__fkey"
            columns: [
              "another_column_with_a_rather_long_name",
              "one_more_column_with_a_rather_long_name",
            ]
            isOneToOne: false
            referencedRelation: "copies"
            referencedColumns: ["book_id", "number"]
          },
          {
            foreignKeyName: "reminders_book_id_copy_number_fkey"
            columns: ["book_id", "copy_number"]
            isOneToOne: true
            referencedRelation: "copies"
            referencedColumns: ["book_id", "number"]
          },
        ]
      }
      stats_notes: {
        Row: {
          list: Database["public"]["Views"]["book_list"]["Row"] | null
          note: string | null
          stats: Database["public"]["Views"]["book_stats"]["Row"] | null
        }
        Insert: {
          list?: Database["public"]["Views"]["book_list"]["Row"] | null
          note?: string | null
          stats?: Database["public"]["Views"]["book_stats"]["Row"] | null
        }
        Update: {
          list?: Database["public"]["Views"]["book_list"]["Row"] | null
          note?: string | null
          stats?: Database["public"]["Views"]["book_stats"]["Row"] | null
        }
        Relationships: []
      }
    }
    Views: {
      author_pairs: {
        Row: {
          first_id: number | null
          name: string | null
          second_id: number | null
        }
        Relationships: []
      }
      book_counts: {
        Row: {
          author_id: number | null
          books: number | null
        }
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      book_list: {
        Row: {
          author_id: number | null
          id: string | null
          shouted: string | null
          state: Database["public"]["Enums"]["loan_state"] | null
          title: string | null
          list_title: string | null
        }
        Insert: {
          author_id?: number | null
          id?: string | null
          shouted?: never
          state?: Database["public"]["Enums"]["loan_state"] | null
          title?: string | null
        }
        Update: {
          author_id?: number | null
          id?: string | null
          shouted?: never
          state?: Database["public"]["Enums"]["loan_state"] | null
          title?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      book_list_again: {
        Row: {
          book: string | null
          "wri'ter": number | null
        }
        Insert: {
          book?: string | null
          "wri'ter"?: number | null
        }
        Update: {
          book?: string | null
          "wri'ter"?: number | null
        }
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["wri'ter"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["wri'ter"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["wri'ter"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      book_stats: {
        Row: {
          author_id: number | null
          books: number | null
          titles: string[] | null
          stats_total: number | null
        }
        Relationships: [
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["first_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "author_pairs"
            referencedColumns: ["second_id"]
          },
          {
            foreignKeyName: "books_author_id_fkey"
            columns: ["author_id"]
            isOneToOne: false
            referencedRelation: "authors"
            referencedColumns: ["id"]
          },
        ]
      }
      inbox: {
        Row: {
          number: number | null
          subject: string | null
        }
        Insert: {
          number?: number | null
          subject?: string | null
        }
        Relationships: []
      }
      loans_view: {
        Row: {
          book_id: string | null
          copy_number: number | null
          id: number | null
          state: Database["public"]["Enums"]["loan_state"] | null
        }
        Insert: {
          book_id?: string | null
          copy_number?: number | null
          id?: number | null
          state?: Database["public"]["Enums"]["loan_state"] | null
        }
        Update: {
          book_id?: string | null
          copy_number?: number | null
          id?: number | null
          state?: Database["public"]["Enums"]["loan_state"] | null
        }
        Relationships: [
          {
            foreignKeyName: "loans_of_a_copy"
            columns: ["book_id", "copy_number"]
            isOneToOne: true
            referencedRelation: "copies"
            referencedColumns: ["book_id", "number"]
          },
        ]
      }
      outbox: {
        Row: {
          subject: string | null
        }
        Update: {
          subject?: string | null
        }
        Relationships: []
      }
      titles: {
        Row: {
          title: string | null
        }
        Insert: {
          title?: string | null
        }
        Update: {
          title?: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      ambiguous:
        | {
            Args: { a: number }
            Returns: {
              error: true
            } & "Could not choose the best candidate function between: public.ambiguous(a => int4), public.ambiguous(a => text). Try renaming the parameters or the function itself in the database so function overloading can be resolved"
          }
        | {
            Args: { a: string }
            Returns: {
              error: true
            } & "Could not choose the best candidate function between: public.ambiguous(a => int4), public.ambiguous(a => text). Try renaming the parameters or the function itself in the database so function overloading can be resolved"
          }
      archived: {
        Args: { "": Database["archive"]["Tables"]["old_books"]["Row"] }
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }
        SetofOptions: {
          from: "old_books"
          to: "books"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      author_details: {
        Args: { "": Database["public"]["Tables"]["authors"]["Row"] }
        Returns: {
          error: true
        } & "the function public.author_details with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      author_of: {
        Args: { book: Database["public"]["Tables"]["books"]["Row"] }
        Returns: {
          "1st_book": string | null
          "2": number | null
          aliases: string[]
          born: string | null
          born_time: string | null
          details: NonNullable<Json>
          id: number
          matrix: number[] | null
          more: Json | null
          naïve: boolean | null
          name: string
          "pen-name": string | null
        }
        SetofOptions: {
          from: "books"
          to: "authors"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      books_of: {
        Args: { "": Database["public"]["Tables"]["authors"]["Row"] }
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }[]
        SetofOptions: {
          from: "authors"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      event_year: {
        Args: { "": Database["public"]["Tables"]["events"]["Row"] }
        Returns: {
          error: true
        } & "the function public.event_year with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      first_book: {
        Args: { "": Database["public"]["Tables"]["authors"]["Row"] }
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }
        SetofOptions: {
          from: "authors"
          to: "books"
          isOneToOne: true
          isSetofReturn: true
        }
      }
      full_title: {
        Args: { "": Database["public"]["Tables"]["books"]["Row"] }
        Returns: {
          error: true
        } & "the function public.full_title with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      in_and_out: {
        Args: { total: number }
        Returns: {
          total: number
        }
      }
      list_title: {
        Args: { "": Database["public"]["Views"]["book_list"]["Row"] }
        Returns: {
          error: true
        } & "the function public.list_title with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      lists_of: {
        Args: { author: Database["public"]["Tables"]["authors"]["Row"] }
        Returns: {
          author_id: number | null
          id: string | null
          shouted: string | null
          state: Database["public"]["Enums"]["loan_state"] | null
          title: string | null
        }[]
        SetofOptions: {
          from: "authors"
          to: "book_list"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      many_arguments: {
        Args: {
          a: number
          b: string
          sizes?: Database["public"]["CompositeTypes"]["dimensions"][]
          state?: Database["public"]["Enums"]["loan_state"]
          when_lent?: string
        }
        Returns: string
      }
      many_out: {
        Args: { a: number }
        Returns: {
          name: string
          total: number
        }
      }
      maybe_empty:
        | {
            Args: Record<PropertyKey, never>
            Returns: {
              error: true
            } & "Could not choose the best candidate function between: public.maybe_empty(), public.maybe_empty( => text). Try renaming the parameters or the function itself in the database so function overloading can be resolved"
          }
        | { Args: { ""?: string }; Returns: string }
      named_title: {
        Args: { book: Database["public"]["Tables"]["books"]["Row"] }
        Returns: string
      }
      no_arguments: { Args: Record<PropertyKey, never>; Returns: number }
      of_rows:
        | {
            Args: { author_id: number }
            Returns: {
              address: string | null
              author_id: number
              code: string | null
              condition:
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
                | null
              conditions: (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
              cover: string | null
              created_at: string
              editor_id: number | null
              fixed: string | null
              former_conditions:
                | (
                    | "as good as new"
                    | "read a few times"
                    | "read many times"
                    | "about to fall apart"
                  )[]
                | null
              id: string
              lent_for: string | null
              letter: string | null
              mark: Database["public"]["Enums"]["shelf-mark"] | null
              next_state: Database["public"]["Enums"]["loan_state"]
              nothing: string | null
              number: number
              old_states: Database["archive"]["Enums"]["loan_state"][] | null
              packed: Database["public"]["CompositeTypes"]["parcel"][] | null
              pages: number | null
              price: number | null
              search: string | null
              secrecies: ("open" | "sealed")[] | null
              secrecy: "open" | "sealed" | null
              serial: number
              shelf_range: string | null
              size: Database["public"]["CompositeTypes"]["dimensions"] | null
              stamp: { ink: string | null } | null
              state: Database["public"]["Enums"]["loan_state"]
              strict_code: string
              tag_list: string[] | null
              title: string
              title_length: number | null
              weight: number | null
            }[]
            SetofOptions: {
              from: "*"
              to: "books"
              isOneToOne: false
              isSetofReturn: true
            }
          }
        | {
            Args: { "": Database["public"]["Tables"]["authors"]["Row"] }
            Returns: {
              address: string | null
              author_id: number
              code: string | null
              condition:
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
                | null
              conditions: (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
              cover: string | null
              created_at: string
              editor_id: number | null
              fixed: string | null
              former_conditions:
                | (
                    | "as good as new"
                    | "read a few times"
                    | "read many times"
                    | "about to fall apart"
                  )[]
                | null
              id: string
              lent_for: string | null
              letter: string | null
              mark: Database["public"]["Enums"]["shelf-mark"] | null
              next_state: Database["public"]["Enums"]["loan_state"]
              nothing: string | null
              number: number
              old_states: Database["archive"]["Enums"]["loan_state"][] | null
              packed: Database["public"]["CompositeTypes"]["parcel"][] | null
              pages: number | null
              price: number | null
              search: string | null
              secrecies: ("open" | "sealed")[] | null
              secrecy: "open" | "sealed" | null
              serial: number
              shelf_range: string | null
              size: Database["public"]["CompositeTypes"]["dimensions"] | null
              stamp: { ink: string | null } | null
              state: Database["public"]["Enums"]["loan_state"]
              strict_code: string
              tag_list: string[] | null
              title: string
              title_length: number | null
              weight: number | null
            }[]
            SetofOptions: {
              from: "authors"
              to: "books"
              isOneToOne: false
              isSetofReturn: true
            }
          }
        | {
            Args: { "": Database["public"]["Tables"]["books"]["Row"] }
            Returns: {
              address: string | null
              author_id: number
              code: string | null
              condition:
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
                | null
              conditions: (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
              cover: string | null
              created_at: string
              editor_id: number | null
              fixed: string | null
              former_conditions:
                | (
                    | "as good as new"
                    | "read a few times"
                    | "read many times"
                    | "about to fall apart"
                  )[]
                | null
              id: string
              lent_for: string | null
              letter: string | null
              mark: Database["public"]["Enums"]["shelf-mark"] | null
              next_state: Database["public"]["Enums"]["loan_state"]
              nothing: string | null
              number: number
              old_states: Database["archive"]["Enums"]["loan_state"][] | null
              packed: Database["public"]["CompositeTypes"]["parcel"][] | null
              pages: number | null
              price: number | null
              search: string | null
              secrecies: ("open" | "sealed")[] | null
              secrecy: "open" | "sealed" | null
              serial: number
              shelf_range: string | null
              size: Database["public"]["CompositeTypes"]["dimensions"] | null
              stamp: { ink: string | null } | null
              state: Database["public"]["Enums"]["loan_state"]
              strict_code: string
              tag_list: string[] | null
              title: string
              title_length: number | null
              weight: number | null
            }[]
            SetofOptions: {
              from: "books"
              to: "books"
              isOneToOne: false
              isSetofReturn: true
            }
          }
      one_out: {
        Args: { a: number }
        Returns: {
          total: number
        }
      }
      out_first: {
        Args: { a: number; b?: number }
        Returns: {
          total: number
        }
      }
      out_row: {
        Args: Record<PropertyKey, never>
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }
        SetofOptions: {
          from: "books"
          to: "books"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      overloaded:
        | { Args: { a: number }; Returns: number }
        | {
            Args: { a: number; b: string }
            Returns: {
              "1st_book": string | null
              "2": number | null
              aliases: string[]
              born: string | null
              born_time: string | null
              details: NonNullable<Json>
              id: number
              matrix: number[] | null
              more: Json | null
              naïve: boolean | null
              name: string
              "pen-name": string | null
            }[]
            SetofOptions: {
              from: "*"
              to: "authors"
              isOneToOne: false
              isSetofReturn: true
            }
          }
        | { Args: { b: string }; Returns: string }
      "quoted-name": { Args: { "an-argument": number }; Returns: number }
      returns_array: { Args: Record<PropertyKey, never>; Returns: number[] }
      returns_composite: {
        Args: Record<PropertyKey, never>
        Returns: Database["public"]["CompositeTypes"]["dimensions"]
        SetofOptions: {
          from: "*"
          to: "dimensions"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returns_composites: {
        Args: Record<PropertyKey, never>
        Returns: Database["public"]["CompositeTypes"]["dimensions"][]
        SetofOptions: {
          from: "*"
          to: "dimensions"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      returns_domain: { Args: { code: string }; Returns: string }
      returns_enum: {
        Args: Record<PropertyKey, never>
        Returns: Database["public"]["Enums"]["loan_state"]
      }
      returns_enums: {
        Args: Record<PropertyKey, never>
        Returns: Database["public"]["Enums"]["loan_state"][]
      }
      returns_event: {
        Args: Record<PropertyKey, never>
        Returns: {
          author_id: number | null
          happened_at: string
          id: number
          note: string | null
        }
        SetofOptions: {
          from: "*"
          to: "events"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returns_hidden_enums: {
        Args: Record<PropertyKey, never>
        Returns: ("open" | "sealed")[]
      }
      returns_hidden_row: {
        Args: Record<PropertyKey, never>
        Returns: unknown
        SetofOptions: {
          from: "*"
          to: "notes"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returns_json: { Args: { filter?: Json }; Returns: Json }
      returns_nothing: { Args: Record<PropertyKey, never>; Returns: undefined }
      returns_one_row: {
        Args: Record<PropertyKey, never>
        Returns: {
          "1st_book": string | null
          "2": number | null
          aliases: string[]
          born: string | null
          born_time: string | null
          details: NonNullable<Json>
          id: number
          matrix: number[] | null
          more: Json | null
          naïve: boolean | null
          name: string
          "pen-name": string | null
        }
        SetofOptions: {
          from: "*"
          to: "authors"
          isOneToOne: true
          isSetofReturn: true
        }
      }
      returns_other_row: {
        Args: Record<PropertyKey, never>
        Returns: Database["archive"]["Tables"]["old_books"]["Row"]
        SetofOptions: {
          from: "*"
          to: "old_books"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returns_range: { Args: Record<PropertyKey, never>; Returns: string }
      returns_record: {
        Args: Record<PropertyKey, never>
        Returns: Record<string, unknown>
      }
      returns_records: {
        Args: Record<PropertyKey, never>
        Returns: Record<string, unknown>[]
      }
      returns_row: {
        Args: Record<PropertyKey, never>
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }
        SetofOptions: {
          from: "*"
          to: "books"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      returns_rows: {
        Args: Record<PropertyKey, never>
        Returns: {}[]
        SetofOptions: {
          from: "*"
          to: "nothing"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      returns_set_of_text: {
        Args: Record<PropertyKey, never>
        Returns: string[]
      }
      returns_stats: {
        Args: Record<PropertyKey, never>
        Returns: {
          author_id: number | null
          books: number | null
          titles: string[] | null
        }[]
        SetofOptions: {
          from: "*"
          to: "book_stats"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      returns_table: {
        Args: { limit_to?: number }
        Returns: {
          id: string
          state: Database["public"]["Enums"]["loan_state"]
          title: string
        }[]
      }
      returns_table_of_one: {
        Args: Record<PropertyKey, never>
        Returns: {
          count: number
        }[]
      }
      returns_table_of_rows: {
        Args: Record<PropertyKey, never>
        Returns: {
          address: string | null
          author_id: number
          code: string | null
          condition:
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
            | null
          conditions: (
            | "as good as new"
            | "read a few times"
            | "read many times"
            | "about to fall apart"
          )[]
          cover: string | null
          created_at: string
          editor_id: number | null
          fixed: string | null
          former_conditions:
            | (
                | "as good as new"
                | "read a few times"
                | "read many times"
                | "about to fall apart"
              )[]
            | null
          id: string
          lent_for: string | null
          letter: string | null
          mark: Database["public"]["Enums"]["shelf-mark"] | null
          next_state: Database["public"]["Enums"]["loan_state"]
          nothing: string | null
          number: number
          old_states: Database["archive"]["Enums"]["loan_state"][] | null
          packed: Database["public"]["CompositeTypes"]["parcel"][] | null
          pages: number | null
          price: number | null
          search: string | null
          secrecies: ("open" | "sealed")[] | null
          secrecy: "open" | "sealed" | null
          serial: number
          shelf_range: string | null
          size: Database["public"]["CompositeTypes"]["dimensions"] | null
          stamp: { ink: string | null } | null
          state: Database["public"]["Enums"]["loan_state"]
          strict_code: string
          tag_list: string[] | null
          title: string
          title_length: number | null
          weight: number | null
        }[]
        SetofOptions: {
          from: "books"
          to: "books"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      returns_view_rows: {
        Args: Record<PropertyKey, never>
        Returns: {
          author_id: number | null
          id: string | null
          shouted: string | null
          state: Database["public"]["Enums"]["loan_state"] | null
          title: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "book_list"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      set_of_out: {
        Args: Record<PropertyKey, never>
        Returns: {
          total: number
        }[]
      }
      size_of: {
        Args: { "": Database["public"]["Tables"]["books"]["Row"] }
        Returns: Database["public"]["CompositeTypes"]["dimensions"]
        SetofOptions: {
          from: "books"
          to: "dimensions"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      stats_total: {
        Args: { "": Database["public"]["Views"]["book_stats"]["Row"] }
        Returns: {
          error: true
        } & "the function public.stats_total with parameter or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache"
      }
      takes_list: {
        Args: { list: Database["public"]["Tables"]["books"]["Row"][] }
        Returns: string
      }
      takes_row: {
        Args: {
          amount: number
          book: Database["public"]["Tables"]["books"]["Row"]
        }
        Returns: string
      }
      unnamed_bytes: { Args: { "": string }; Returns: number }
      unnamed_json: { Args: { "": Json }; Returns: number }
      unnamed_out: {
        Args: Record<PropertyKey, never>
        Returns: {
          column1: number
          column2: string
        }
      }
      unnamed_text: { Args: { "": string }; Returns: number }
      variadic_arguments: { Args: { list: string[] }; Returns: string }
    }
    Enums: {
      loan_state: "requested" | "lent" | "returned" | "lost"
      many_values:
        | "first value"
        | "second value"
        | "third value"
        | "fourth value"
        | "fifth value"
      "shelf-mark": "A" | 'with "quotes"' | "it's"
    }
    CompositeTypes: {
      dimensions: {
        height: number | null
        width: number | null
        unit: string | null
      }
      parcel: {
        size: Database["public"]["CompositeTypes"]["dimensions"] | null
        labels: string[] | null
        state: Database["public"]["Enums"]["loan_state"] | null
        code: string | null
        stamps: { ink: string | null }[] | null
      }
    }
  }
}

type Schemas = Omit<Database, "__InternalSupabase">

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

export const Constants = {
  archive: {
    Enums: {
      loan_state: ["kept", "shredded"],
    },
  },
  public: {
    Enums: {
      loan_state: ["requested", "lent", "returned", "lost"],
      many_values: [
        "first value",
        "second value",
        "third value",
        "fourth value",
        "fifth value",
      ],
      "shelf-mark": ["A", 'with "quotes"', "it's"],
    },
  },
} as const
