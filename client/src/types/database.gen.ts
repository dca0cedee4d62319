export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

type BusinessRow = {
  id: string
  slug: string
  old_slug: string | null
  url_path: string | null
  migrated_url: boolean
  display_id: string
  owner_id: string | null
  name: string
  type: string
  location: string
  address: string | null
  phone: string | null
  website: string | null
  image_url: string | null
  longitude: number
  latitude: number
  hours: Json | null
  amenities: Json
  description: string | null
  tagline: string | null
  rating: number | null
  combined_rating: number | null
  sort_rating: number
  user_ratings_total: number
  category_code: string | null
  city_slug: string | null
  time_zone: string
  created_at: string
  updated_at: string
}

type Table<Row> = {
  Row: Row
  Insert: Partial<Row>
  Update: Partial<Row>
  Relationships: []
}

export type Database = {
  public: {
    Tables: {
      'categories-plaza': Table<{
        id: string
        category_name: string
        category_code: string
        category_level: number
        parent_category: string | null
        is_active: boolean
        created_at: string
      }>
      businesses: Table<BusinessRow>
      notifications: Table<{
        id: string
        user_id: string
        type: string
        title: string
        content: string
        link: string | null
        read: boolean
        created_at: string
      }>
    }
    Views: {
      account_profiles: {
        Row: {
          id: string
          full_name: string | null
          avatar_url: string | null
          role: string
          session_timeout_minutes: number | null
          display_id: string
          totp_enabled: boolean
          wants_to_sell: boolean
        }
        Relationships: []
      }
    }
    Functions: {
      search_businesses: {
        Args: { find_desc?: string; find_loc?: string; category?: string }
        Returns: BusinessRow[]
        SetofOptions: {
          from: '*'
          to: 'businesses'
          isOneToOne: false
          isSetofReturn: true
        }
      }
    }
    Enums: Record<never, never>
    CompositeTypes: Record<never, never>
  }
}
