export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  public: {
    Tables: {
      advertiser_metrics: {
        Row: {
          ad_click_through_rate: number | null
          ad_cost: number
          ad_driven_biz_page_views: number
          ad_driven_calls: number
          ad_driven_messages_to_business: number
          ad_driven_online_reservations: number
          ad_driven_total_leads: number
          average_cost_per_click: number
          billed_clicks: number
          billed_impressions: number
          business_id: string
          metric_date: string
        }
        Insert: {
          ad_click_through_rate?: number | null
          ad_cost?: number
          ad_driven_biz_page_views?: number
          ad_driven_calls?: number
          ad_driven_messages_to_business?: number
          ad_driven_online_reservations?: number
          ad_driven_total_leads?: number
          average_cost_per_click?: number
          billed_clicks?: number
          billed_impressions?: number
          business_id: string
          metric_date: string
        }
        Update: {
          ad_click_through_rate?: number | null
          ad_cost?: number
          ad_driven_biz_page_views?: number
          ad_driven_calls?: number
          ad_driven_messages_to_business?: number
          ad_driven_online_reservations?: number
          ad_driven_total_leads?: number
          average_cost_per_click?: number
          billed_clicks?: number
          billed_impressions?: number
          business_id?: string
          metric_date?: string
        }
        Relationships: [
          {
            foreignKeyName: "advertiser_metrics_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "advertiser_metrics_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      audit_logs: {
        Row: {
          action: string
          changed_fields: string[] | null
          created_at: string
          id: string
          new_data: Json | null
          old_data: Json | null
          record_id: string | null
          table_name: string
          user_id: string | null
        }
        Insert: {
          action: string
          changed_fields?: string[] | null
          created_at?: string
          id?: string
          new_data?: Json | null
          old_data?: Json | null
          record_id?: string | null
          table_name: string
          user_id?: string | null
        }
        Update: {
          action?: string
          changed_fields?: string[] | null
          created_at?: string
          id?: string
          new_data?: Json | null
          old_data?: Json | null
          record_id?: string | null
          table_name?: string
          user_id?: string | null
        }
        Relationships: []
      }
      blackout_dates: {
        Row: {
          blackout_date: string
          business_id: string
          created_at: string
        }
        Insert: {
          blackout_date: string
          business_id: string
          created_at?: string
        }
        Update: {
          blackout_date?: string
          business_id?: string
          created_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "blackout_dates_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "blackout_dates_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      booking_notes: {
        Row: {
          booking_id: string
          note: string
          updated_at: string
        }
        Insert: {
          booking_id: string
          note: string
          updated_at?: string
        }
        Update: {
          booking_id?: string
          note?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "booking_notes_booking_id_fkey"
            columns: ["booking_id"]
            isOneToOne: true
            referencedRelation: "bookings"
            referencedColumns: ["id"]
          },
        ]
      }
      bookings: {
        Row: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        Insert: {
          booking_date: string
          buffer_minutes?: number
          business_id?: string | null
          business_name?: string
          cancel_kind?: string | null
          cancel_reason?: string | null
          created_at?: string
          customer_name?: string | null
          customer_phone?: string | null
          during?: never
          end_time?: string
          held?: never
          id?: string
          is_test?: boolean
          notes?: string | null
          place?: number
          proposed_by?: string | null
          proposed_date?: string | null
          proposed_start?: string | null
          service_duration?: number
          service_id?: string | null
          service_name?: string
          service_price?: number
          source?: string
          start_time: string
          status?: string
          time_zone?: string
          updated_at?: string
          user_id?: string | null
        }
        Update: {
          booking_date?: string
          buffer_minutes?: number
          business_id?: string | null
          business_name?: string
          cancel_kind?: string | null
          cancel_reason?: string | null
          created_at?: string
          customer_name?: string | null
          customer_phone?: string | null
          during?: never
          end_time?: string
          held?: never
          id?: string
          is_test?: boolean
          notes?: string | null
          place?: number
          proposed_by?: string | null
          proposed_date?: string | null
          proposed_start?: string | null
          service_duration?: number
          service_id?: string | null
          service_name?: string
          service_price?: number
          source?: string
          start_time?: string
          status?: string
          time_zone?: string
          updated_at?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "bookings_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_service_id_fkey"
            columns: ["service_id"]
            isOneToOne: false
            referencedRelation: "services"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "bookings_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      business_availability: {
        Row: {
          business_id: string
          is_open: boolean
          slots: NonNullable<Json>
          updated_at: string
          weekday: string
        }
        Insert: {
          business_id: string
          is_open: boolean
          slots?: NonNullable<Json>
          updated_at?: string
          weekday: string
        }
        Update: {
          business_id?: string
          is_open?: boolean
          slots?: NonNullable<Json>
          updated_at?: string
          weekday?: string
        }
        Relationships: [
          {
            foreignKeyName: "business_availability_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_availability_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      business_categories: {
        Row: {
          business_id: string
          category_id: string
        }
        Insert: {
          business_id: string
          category_id: string
        }
        Update: {
          business_id?: string
          category_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "business_categories_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_categories_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_categories_category_id_fkey"
            columns: ["category_id"]
            isOneToOne: false
            referencedRelation: "categories"
            referencedColumns: ["id"]
          },
        ]
      }
      business_former_slugs: {
        Row: {
          business_id: string
          created_at: string
          slug: string
        }
        Insert: {
          business_id: string
          created_at?: string
          slug: string
        }
        Update: {
          business_id?: string
          created_at?: string
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: "business_former_slugs_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_former_slugs_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      business_metrics: {
        Row: {
          business_id: string
          collection_item_added: number
          median_response_time_in_sec: number | null
          metric_date: string
          num_bookmarks: number
          num_calls: number
          num_check_ins: number
          num_directions_and_map_views: number
          num_messages_to_business: number
          num_photo_views: number
          num_search_views: number
          num_total_page_views: number
          num_user_photos: number
          online_bookings: number
          rating: number | null
          reply_rate: number | null
          reviews: number
          total_leads: number
          url_clicks: number
        }
        Insert: {
          business_id: string
          collection_item_added?: number
          median_response_time_in_sec?: number | null
          metric_date: string
          num_bookmarks?: number
          num_calls?: number
          num_check_ins?: number
          num_directions_and_map_views?: number
          num_messages_to_business?: number
          num_photo_views?: number
          num_search_views?: number
          num_total_page_views?: number
          num_user_photos?: number
          online_bookings?: number
          rating?: number | null
          reply_rate?: number | null
          reviews?: number
          total_leads?: number
          url_clicks?: number
        }
        Update: {
          business_id?: string
          collection_item_added?: number
          median_response_time_in_sec?: number | null
          metric_date?: string
          num_bookmarks?: number
          num_calls?: number
          num_check_ins?: number
          num_directions_and_map_views?: number
          num_messages_to_business?: number
          num_photo_views?: number
          num_search_views?: number
          num_total_page_views?: number
          num_user_photos?: number
          online_bookings?: number
          rating?: number | null
          reply_rate?: number | null
          reviews?: number
          total_leads?: number
          url_clicks?: number
        }
        Relationships: [
          {
            foreignKeyName: "business_metrics_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_metrics_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      business_photos: {
        Row: {
          business_id: string
          caption: string | null
          created_at: string
          display_order: number
          id: string
          photo_url: string
          updated_at: string
        }
        Insert: {
          business_id: string
          caption?: string | null
          created_at?: string
          display_order?: number
          id?: string
          photo_url: string
          updated_at?: string
        }
        Update: {
          business_id?: string
          caption?: string | null
          created_at?: string
          display_order?: number
          id?: string
          photo_url?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "business_photos_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "business_photos_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      businesses: {
        Row: {
          address: string | null
          amenities: NonNullable<Json>
          availability_revision: number
          booking_buffer_minutes: number
          booking_capacity: number
          booking_days_ahead: number
          booking_notice_minutes: number
          category_code: string | null
          city_slug: string | null
          combined_rating: number | null
          company_values: string[] | null
          created_at: string
          description: string | null
          display_id: string
          hours: Json | null
          id: string
          image_url: string | null
          is_claimed: boolean
          is_promoted: boolean
          is_test: boolean
          languages: string[] | null
          last_slots: number[] | null
          latitude: number
          location: string
          logo_url: string | null
          longitude: number
          migrated_url: boolean
          name: string
          old_slug: string | null
          open_week: unknown
          owner_id: string | null
          phone: string | null
          price_from: number | null
          ranking: number
          rating: number | null
          rating_sources: Json | null
          search_document: unknown
          slug: string
          sort_rating: number
          source: string
          tagline: string | null
          time_zone: string
          type: string
          types: string[] | null
          updated_at: string
          url_path: string | null
          user_ratings_total: number
          verification_status: string
          website: string | null
          weekday_text: string[] | null
          logo: string | null
        }
        Insert: {
          address?: string | null
          amenities?: NonNullable<Json>
          availability_revision?: number
          booking_buffer_minutes?: number
          booking_capacity?: number
          booking_days_ahead?: number
          booking_notice_minutes?: number
          category_code?: string | null
          city_slug?: string | null
          combined_rating?: number | null
          company_values?: string[] | null
          created_at?: string
          description?: string | null
          display_id?: string
          hours?: Json | null
          id?: string
          image_url?: string | null
          is_claimed?: boolean
          is_promoted?: boolean
          is_test?: boolean
          languages?: string[] | null
          last_slots?: number[] | null
          latitude?: number
          location: string
          logo_url?: string | null
          longitude?: number
          migrated_url?: boolean
          name: string
          old_slug?: string | null
          open_week?: unknown
          owner_id?: string | null
          phone?: string | null
          price_from?: number | null
          ranking?: never
          rating?: number | null
          rating_sources?: Json | null
          search_document?: unknown
          slug?: string
          sort_rating?: never
          source?: string
          tagline?: string | null
          time_zone?: string
          type: string
          types?: string[] | null
          updated_at?: string
          url_path?: string | null
          user_ratings_total?: number
          verification_status?: string
          website?: string | null
          weekday_text?: string[] | null
        }
        Update: {
          address?: string | null
          amenities?: NonNullable<Json>
          availability_revision?: number
          booking_buffer_minutes?: number
          booking_capacity?: number
          booking_days_ahead?: number
          booking_notice_minutes?: number
          category_code?: string | null
          city_slug?: string | null
          combined_rating?: number | null
          company_values?: string[] | null
          created_at?: string
          description?: string | null
          display_id?: string
          hours?: Json | null
          id?: string
          image_url?: string | null
          is_claimed?: boolean
          is_promoted?: boolean
          is_test?: boolean
          languages?: string[] | null
          last_slots?: number[] | null
          latitude?: number
          location?: string
          logo_url?: string | null
          longitude?: number
          migrated_url?: boolean
          name?: string
          old_slug?: string | null
          open_week?: unknown
          owner_id?: string | null
          phone?: string | null
          price_from?: number | null
          ranking?: never
          rating?: number | null
          rating_sources?: Json | null
          search_document?: unknown
          slug?: string
          sort_rating?: never
          source?: string
          tagline?: string | null
          time_zone?: string
          type?: string
          types?: string[] | null
          updated_at?: string
          url_path?: string | null
          user_ratings_total?: number
          verification_status?: string
          website?: string | null
          weekday_text?: string[] | null
        }
        Relationships: [
          {
            foreignKeyName: "businesses_category_code_fkey"
            columns: ["category_code"]
            isOneToOne: false
            referencedRelation: "categories-plaza"
            referencedColumns: ["category_code"]
          },
          {
            foreignKeyName: "businesses_category_code_fkey"
            columns: ["category_code"]
            isOneToOne: false
            referencedRelation: "category_counts"
            referencedColumns: ["category_code"]
          },
          {
            foreignKeyName: "businesses_city_slug_fkey"
            columns: ["city_slug"]
            isOneToOne: false
            referencedRelation: "cities"
            referencedColumns: ["slug"]
          },
          {
            foreignKeyName: "businesses_city_slug_fkey"
            columns: ["city_slug"]
            isOneToOne: false
            referencedRelation: "city_counts"
            referencedColumns: ["slug"]
          },
          {
            foreignKeyName: "businesses_owner_id_fkey"
            columns: ["owner_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      categories: {
        Row: {
          created_at: string
          icon: string | null
          id: string
          name: string
        }
        Insert: {
          created_at?: string
          icon?: string | null
          id?: string
          name: string
        }
        Update: {
          created_at?: string
          icon?: string | null
          id?: string
          name?: string
        }
        Relationships: []
      }
      "categories-plaza": {
        Row: {
          category_code: string
          category_level: number
          category_name: string
          created_at: string
          id: string
          is_active: boolean
          normalized_name: string
          parent_category: string | null
        }
        Insert: {
          category_code: string
          category_level: number
          category_name: string
          created_at?: string
          id?: string
          is_active?: boolean
          normalized_name?: never
          parent_category?: string | null
        }
        Update: {
          category_code?: string
          category_level?: number
          category_name?: string
          created_at?: string
          id?: string
          is_active?: boolean
          normalized_name?: never
          parent_category?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "categories-plaza_parent_category_fkey"
            columns: ["parent_category"]
            isOneToOne: false
            referencedRelation: "categories-plaza"
            referencedColumns: ["category_code"]
          },
          {
            foreignKeyName: "categories-plaza_parent_category_fkey"
            columns: ["parent_category"]
            isOneToOne: false
            referencedRelation: "category_counts"
            referencedColumns: ["category_code"]
          },
        ]
      }
      category_synonyms: {
        Row: {
          category_slug: string
          id: string
          language_code: string
          normalized_term: string
          parts: string[]
          priority: number
          synonym_term: string
        }
        Insert: {
          category_slug: string
          id?: string
          language_code: string
          normalized_term?: never
          parts?: never
          priority?: number
          synonym_term: string
        }
        Update: {
          category_slug?: string
          id?: string
          language_code?: string
          normalized_term?: never
          parts?: never
          priority?: number
          synonym_term?: string
        }
        Relationships: [
          {
            foreignKeyName: "category_synonyms_category_slug_fkey"
            columns: ["category_slug"]
            isOneToOne: false
            referencedRelation: "categories-plaza"
            referencedColumns: ["category_code"]
          },
          {
            foreignKeyName: "category_synonyms_category_slug_fkey"
            columns: ["category_slug"]
            isOneToOne: false
            referencedRelation: "category_counts"
            referencedColumns: ["category_code"]
          },
        ]
      }
      cities: {
        Row: {
          aliases: string[]
          country: string
          is_popular: boolean
          latitude: number
          local_name: string
          longitude: number
          name: string
          part_of: string | null
          position: number
          region_spellings: string[]
          regions: string[]
          slug: string
          spellings: string[]
          time_zone: string
        }
        Insert: {
          aliases?: string[]
          country: string
          is_popular?: boolean
          latitude: number
          local_name: string
          longitude: number
          name: string
          part_of?: string | null
          position?: number
          region_spellings?: never
          regions?: string[]
          slug: string
          spellings?: never
          time_zone: string
        }
        Update: {
          aliases?: string[]
          country?: string
          is_popular?: boolean
          latitude?: number
          local_name?: string
          longitude?: number
          name?: string
          part_of?: string | null
          position?: number
          region_spellings?: never
          regions?: string[]
          slug?: string
          spellings?: never
          time_zone?: string
        }
        Relationships: [
          {
            foreignKeyName: "cities_part_of_fkey"
            columns: ["part_of"]
            isOneToOne: false
            referencedRelation: "cities"
            referencedColumns: ["slug"]
          },
          {
            foreignKeyName: "cities_part_of_fkey"
            columns: ["part_of"]
            isOneToOne: false
            referencedRelation: "city_counts"
            referencedColumns: ["slug"]
          },
        ]
      }
      claim_requests: {
        Row: {
          admin_notes: string | null
          business_email: string
          business_id: string
          business_phone: string | null
          document_path: string | null
          full_name: string
          id: string
          reviewed_at: string | null
          reviewed_by: string | null
          role_at_company: string
          status: string
          submitted_at: string
          user_id: string
          verification_method: string
          verified_at: string | null
          verified_by: string | null
        }
        Insert: {
          admin_notes?: string | null
          business_email: string
          business_id: string
          business_phone?: string | null
          document_path?: string | null
          full_name: string
          id?: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          role_at_company: string
          status?: string
          submitted_at?: string
          user_id?: string
          verification_method: string
          verified_at?: string | null
          verified_by?: string | null
        }
        Update: {
          admin_notes?: string | null
          business_email?: string
          business_id?: string
          business_phone?: string | null
          document_path?: string | null
          full_name?: string
          id?: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          role_at_company?: string
          status?: string
          submitted_at?: string
          user_id?: string
          verification_method?: string
          verified_at?: string | null
          verified_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "claim_requests_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "claim_requests_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "claim_requests_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      conversations: {
        Row: {
          blocked_by_customer: boolean
          blocked_by_owner: boolean
          business_id: string | null
          created_at: string
          customer_id: string | null
          id: string
          last_at: string
          owner_id: string | null
        }
        Insert: {
          blocked_by_customer?: boolean
          blocked_by_owner?: boolean
          business_id?: string | null
          created_at?: string
          customer_id?: string | null
          id?: string
          last_at?: string
          owner_id?: string | null
        }
        Update: {
          blocked_by_customer?: boolean
          blocked_by_owner?: boolean
          business_id?: string | null
          created_at?: string
          customer_id?: string | null
          id?: string
          last_at?: string
          owner_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "conversations_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "conversations_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "conversations_customer_id_fkey"
            columns: ["customer_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "conversations_owner_id_fkey"
            columns: ["owner_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      directory_counts: {
        Row: {
          businesses: number
          category_code: string
          city_slug: string
        }
        Insert: {
          businesses?: number
          category_code: string
          city_slug: string
        }
        Update: {
          businesses?: number
          category_code?: string
          city_slug?: string
        }
        Relationships: []
      }
      favorites: {
        Row: {
          business_id: string
          created_at: string
          id: string
          user_id: string
        }
        Insert: {
          business_id: string
          created_at?: string
          id?: string
          user_id?: string
        }
        Update: {
          business_id?: string
          created_at?: string
          id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "favorites_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "favorites_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "favorites_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      messages: {
        Row: {
          attachments: string[]
          business_id: string | null
          content: string
          conversation_id: string | null
          created_at: string
          id: string
          read: boolean
          recipient_id: string | null
          sender_id: string | null
        }
        Insert: {
          attachments?: string[]
          business_id?: string | null
          content: string
          conversation_id?: string | null
          created_at?: string
          id?: string
          read?: boolean
          recipient_id?: string | null
          sender_id?: string | null
        }
        Update: {
          attachments?: string[]
          business_id?: string | null
          content?: string
          conversation_id?: string | null
          created_at?: string
          id?: string
          read?: boolean
          recipient_id?: string | null
          sender_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "messages_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_conversation_id_fkey"
            columns: ["conversation_id"]
            isOneToOne: false
            referencedRelation: "conversations"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_recipient_id_fkey"
            columns: ["recipient_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "messages_sender_id_fkey"
            columns: ["sender_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      notification_settings: {
        Row: {
          by_mail: boolean
          kind: string
          user_id: string
        }
        Insert: {
          by_mail?: boolean
          kind: string
          user_id?: string
        }
        Update: {
          by_mail?: boolean
          kind?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "notification_settings_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      notifications: {
        Row: {
          content: string
          created_at: string
          id: string
          link: string | null
          read: boolean
          title: string
          type: string
          user_id: string
        }
        Insert: {
          content: string
          created_at?: string
          id?: string
          link?: string | null
          read?: boolean
          title: string
          type: string
          user_id: string
        }
        Update: {
          content?: string
          created_at?: string
          id?: string
          link?: string | null
          read?: boolean
          title?: string
          type?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "notifications_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      recent_searches: {
        Row: {
          category: string | null
          created_at: string
          id: string
          location: string | null
          query: string | null
          user_id: string
        }
        Insert: {
          category?: string | null
          created_at?: string
          id?: string
          location?: string | null
          query?: string | null
          user_id?: string
        }
        Update: {
          category?: string | null
          created_at?: string
          id?: string
          location?: string | null
          query?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "recent_searches_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      reports: {
        Row: {
          created_at: string
          details: string | null
          id: string
          is_test: boolean
          reason: string
          reported_id: string
          reporter_id: string | null
          reviewed_at: string | null
          reviewed_by: string | null
          status: string
          type: string
        }
        Insert: {
          created_at?: string
          details?: string | null
          id?: string
          is_test?: boolean
          reason: string
          reported_id: string
          reporter_id?: string | null
          reviewed_at?: string | null
          reviewed_by?: string | null
          status?: string
          type: string
        }
        Update: {
          created_at?: string
          details?: string | null
          id?: string
          is_test?: boolean
          reason?: string
          reported_id?: string
          reporter_id?: string | null
          reviewed_at?: string | null
          reviewed_by?: string | null
          status?: string
          type?: string
        }
        Relationships: [
          {
            foreignKeyName: "reports_reporter_id_fkey"
            columns: ["reporter_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      review_responses: {
        Row: {
          content: string
          created_at: string
          review_id: string
          updated_at: string
        }
        Insert: {
          content: string
          created_at?: string
          review_id: string
          updated_at?: string
        }
        Update: {
          content?: string
          created_at?: string
          review_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "review_responses_review_id_fkey"
            columns: ["review_id"]
            isOneToOne: true
            referencedRelation: "reviews"
            referencedColumns: ["id"]
          },
        ]
      }
      reviews: {
        Row: {
          business_id: string
          comment: string | null
          created_at: string
          id: string
          is_test: boolean
          rating: number
          updated_at: string
          user_id: string | null
        }
        Insert: {
          business_id: string
          comment?: string | null
          created_at?: string
          id?: string
          is_test?: boolean
          rating: number
          updated_at?: string
          user_id?: string | null
        }
        Update: {
          business_id?: string
          comment?: string | null
          created_at?: string
          id?: string
          is_test?: boolean
          rating?: number
          updated_at?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "reviews_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "reviews_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "reviews_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      search_alerts: {
        Row: {
          category: string | null
          created_at: string
          find_desc: string | null
          find_loc: string | null
          id: string
          is_due: boolean
          notified_at: string | null
          user_id: string
        }
        Insert: {
          category?: string | null
          created_at?: string
          find_desc?: string | null
          find_loc?: string | null
          id?: string
          is_due?: boolean
          notified_at?: string | null
          user_id?: string
        }
        Update: {
          category?: string | null
          created_at?: string
          find_desc?: string | null
          find_loc?: string | null
          id?: string
          is_due?: boolean
          notified_at?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "search_alerts_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      seller_applications: {
        Row: {
          business_description: string | null
          business_name: string
          business_type: string
          created_at: string
          id: string
          location: string
          reviewed_at: string | null
          reviewed_by: string | null
          status: string
          superseded_at: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          business_description?: string | null
          business_name: string
          business_type: string
          created_at?: string
          id?: string
          location: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          status?: string
          superseded_at?: string | null
          updated_at?: string
          user_id?: string
        }
        Update: {
          business_description?: string | null
          business_name?: string
          business_type?: string
          created_at?: string
          id?: string
          location?: string
          reviewed_at?: string | null
          reviewed_by?: string | null
          status?: string
          superseded_at?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "seller_applications_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      services: {
        Row: {
          business_id: string
          created_at: string
          description: string | null
          duration: number
          id: string
          name: string
          price: number
          updated_at: string
        }
        Insert: {
          business_id: string
          created_at?: string
          description?: string | null
          duration: number
          id?: string
          name: string
          price: number
          updated_at?: string
        }
        Update: {
          business_id?: string
          created_at?: string
          description?: string | null
          duration?: number
          id?: string
          name?: string
          price?: number
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: "services_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "services_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      subscription_plans: {
        Row: {
          analytics_access: boolean
          created_at: string
          description: string | null
          id: string
          is_active: boolean
          logo_upload: boolean
          max_businesses: number
          max_description_length: number
          max_photos_per_business: number
          name: string
          price_monthly: number
          price_yearly: number
          priority_support: boolean
          promoted_listings: boolean
          tier: string
        }
        Insert: {
          analytics_access?: boolean
          created_at?: string
          description?: string | null
          id?: string
          is_active?: boolean
          logo_upload?: boolean
          max_businesses?: number
          max_description_length?: number
          max_photos_per_business?: number
          name: string
          price_monthly: number
          price_yearly: number
          priority_support?: boolean
          promoted_listings?: boolean
          tier: string
        }
        Update: {
          analytics_access?: boolean
          created_at?: string
          description?: string | null
          id?: string
          is_active?: boolean
          logo_upload?: boolean
          max_businesses?: number
          max_description_length?: number
          max_photos_per_business?: number
          name?: string
          price_monthly?: number
          price_yearly?: number
          priority_support?: boolean
          promoted_listings?: boolean
          tier?: string
        }
        Relationships: []
      }
      support_tickets: {
        Row: {
          answer: string | null
          answered_at: string | null
          answered_by: string | null
          created_at: string
          id: string
          is_priority: boolean
          message: string
          subject: string
          user_id: string | null
        }
        Insert: {
          answer?: string | null
          answered_at?: string | null
          answered_by?: string | null
          created_at?: string
          id?: string
          is_priority?: boolean
          message: string
          subject: string
          user_id?: string | null
        }
        Update: {
          answer?: string | null
          answered_at?: string | null
          answered_by?: string | null
          created_at?: string
          id?: string
          is_priority?: boolean
          message?: string
          subject?: string
          user_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: "support_tickets_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      towns: {
        Row: {
          aliases: string[]
          country: string
          latitude: number
          longitude: number
          name: string
          population: number
          slug: string
          spellings: string[]
        }
        Insert: {
          aliases?: string[]
          country: string
          latitude: number
          longitude: number
          name: string
          population: number
          slug: string
          spellings?: never
        }
        Update: {
          aliases?: string[]
          country?: string
          latitude?: number
          longitude?: number
          name?: string
          population?: number
          slug?: string
          spellings?: never
        }
        Relationships: []
      }
      url_mappings: {
        Row: {
          created_at: string
          id: string
          original: string
          slug: string
          type: string
        }
        Insert: {
          created_at?: string
          id?: string
          original: string
          slug?: string
          type: string
        }
        Update: {
          created_at?: string
          id?: string
          original?: string
          slug?: string
          type?: string
        }
        Relationships: []
      }
      url_redirects: {
        Row: {
          business_id: string | null
          created_at: string
          id: string
          is_active: boolean
          new_url: string
          old_url: string
          redirect_type: number
        }
        Insert: {
          business_id?: string | null
          created_at?: string
          id?: string
          is_active?: boolean
          new_url: string
          old_url: string
          redirect_type?: number
        }
        Update: {
          business_id?: string | null
          created_at?: string
          id?: string
          is_active?: boolean
          new_url?: string
          old_url?: string
          redirect_type?: number
        }
        Relationships: [
          {
            foreignKeyName: "url_redirects_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "businesses"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "url_redirects_business_id_fkey"
            columns: ["business_id"]
            isOneToOne: false
            referencedRelation: "url_migration_preview"
            referencedColumns: ["id"]
          },
        ]
      }
      user_security_events: {
        Row: {
          created_at: string
          event_type: string
          id: string
          ip_address: unknown
          metadata: NonNullable<Json>
          user_agent: string | null
          user_id: string
        }
        Insert: {
          created_at?: string
          event_type: string
          id?: string
          ip_address?: unknown
          metadata?: NonNullable<Json>
          user_agent?: string | null
          user_id: string
        }
        Update: {
          created_at?: string
          event_type?: string
          id?: string
          ip_address?: unknown
          metadata?: NonNullable<Json>
          user_agent?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_security_events_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      user_sessions: {
        Row: {
          closing_at: string | null
          created_at: string
          expires_at: string
          id: string
          ip_address: unknown
          is_active: boolean
          last_activity_at: string
          session_id: string | null
          session_token: string | null
          user_agent: string | null
          user_id: string
        }
        Insert: {
          closing_at?: string | null
          created_at?: string
          expires_at?: string
          id?: string
          ip_address?: unknown
          is_active?: boolean
          last_activity_at?: string
          session_id?: string | null
          session_token?: string | null
          user_agent?: string | null
          user_id: string
        }
        Update: {
          closing_at?: string | null
          created_at?: string
          expires_at?: string
          id?: string
          ip_address?: unknown
          is_active?: boolean
          last_activity_at?: string
          session_id?: string | null
          session_token?: string | null
          user_agent?: string | null
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_sessions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      user_subscriptions: {
        Row: {
          created_at: string
          plan_id: string | null
          plan_name: string | null
          subscribed: boolean
          subscription_end: string | null
          subscription_tier: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          created_at?: string
          plan_id?: string | null
          plan_name?: string | null
          subscribed?: boolean
          subscription_end?: string | null
          subscription_tier?: string | null
          updated_at?: string
          user_id: string
        }
        Update: {
          created_at?: string
          plan_id?: string | null
          plan_name?: string | null
          subscribed?: boolean
          subscription_end?: string | null
          subscription_tier?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: "user_subscriptions_plan_id_fkey"
            columns: ["plan_id"]
            isOneToOne: false
            referencedRelation: "subscription_plans"
            referencedColumns: ["id"]
          },
          {
            foreignKeyName: "user_subscriptions_user_id_fkey"
            columns: ["user_id"]
            isOneToOne: true
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      audit_logs_with_actor: {
        Row: {
          action: string | null
          actor_display_id: string | null
          actor_name: string | null
          changed_fields: string[] | null
          created_at: string | null
          id: string | null
          new_data: Json | null
          old_data: Json | null
          record_id: string | null
          table_name: string | null
          user_id: string | null
        }
        Relationships: []
      }
      category_counts: {
        Row: {
          businesses: number | null
          category_code: string | null
          category_level: number | null
          category_name: string | null
          city_slug: string | null
          parent_category: string | null
        }
        Relationships: [
          {
            foreignKeyName: "categories-plaza_parent_category_fkey"
            columns: ["parent_category"]
            isOneToOne: false
            referencedRelation: "categories-plaza"
            referencedColumns: ["category_code"]
          },
          {
            foreignKeyName: "categories-plaza_parent_category_fkey"
            columns: ["parent_category"]
            isOneToOne: false
            referencedRelation: "category_counts"
            referencedColumns: ["category_code"]
          },
        ]
      }
      city_counts: {
        Row: {
          businesses: number | null
          country: string | null
          is_popular: boolean | null
          local_name: string | null
          name: string | null
          position: number | null
          slug: string | null
        }
        Insert: {
          businesses?: never
          country?: string | null
          is_popular?: boolean | null
          local_name?: string | null
          name?: string | null
          position?: number | null
          slug?: string | null
        }
        Update: {
          businesses?: never
          country?: string | null
          is_popular?: boolean | null
          local_name?: string | null
          name?: string | null
          position?: number | null
          slug?: string | null
        }
        Relationships: []
      }
      import_rows: {
        Row: {
          duplicate_business: string | null
          duplicate_line: number | null
          duplicate_name: string | null
          duplicate_slug: string | null
          faults: Json | null
          fields: Json | null
          import_id: string | null
          line: number | null
          location: string | null
          name: string | null
          state: string | null
          type: string | null
        }
        Relationships: []
      }
      profiles: {
        Row: {
          avatar_url: string | null
          created_at: string | null
          display_id: string | null
          full_name: string | null
          id: string | null
          role: string | null
          session_timeout_minutes: number | null
          totp_enabled: boolean | null
          updated_at: string | null
          wants_to_sell: boolean | null
        }
        Insert: {
          avatar_url?: string | null
          created_at?: string | null
          display_id?: string | null
          full_name?: string | null
          id?: string | null
          role?: string | null
          session_timeout_minutes?: number | null
          totp_enabled?: boolean | null
          updated_at?: string | null
          wants_to_sell?: boolean | null
        }
        Update: {
          avatar_url?: string | null
          created_at?: string | null
          display_id?: string | null
          full_name?: string | null
          id?: string | null
          role?: string | null
          session_timeout_minutes?: number | null
          totp_enabled?: boolean | null
          updated_at?: string | null
          wants_to_sell?: boolean | null
        }
        Relationships: []
      }
      reports_with_entity: {
        Row: {
          created_at: string | null
          details: string | null
          entity_image: string | null
          entity_link: string | null
          entity_name: string | null
          entity_preview: string | null
          id: string | null
          reason: string | null
          reported_id: string | null
          reporter_avatar: string | null
          reporter_id: string | null
          reporter_name: string | null
          reviewed_at: string | null
          status: string | null
          type: string | null
        }
        Relationships: [
          {
            foreignKeyName: "reports_reporter_id_fkey"
            columns: ["reporter_id"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
      url_migration_preview: {
        Row: {
          error: string | null
          id: string | null
          name: string | null
          new_url: string | null
          old_url: string | null
        }
        Relationships: []
      }
      user_totp_secrets: {
        Row: {
          created_at: string | null
          friendly_name: string | null
          id: string | null
          is_verified: boolean | null
          last_used_at: string | null
          user_id: string | null
        }
        Insert: {
          created_at?: string | null
          friendly_name?: string | null
          id?: string | null
          is_verified?: never
          last_used_at?: string | null
          user_id?: string | null
        }
        Update: {
          created_at?: string | null
          friendly_name?: string | null
          id?: string | null
          is_verified?: never
          last_used_at?: string | null
          user_id?: string | null
        }
        Relationships: []
      }
    }
    Functions: {
      add_walk_in: {
        Args: {
          p_business_id: string
          p_customer_name: string
          p_customer_phone?: string
          p_date: string
          p_service_id: string
          p_start: string
        }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      admin_audit_tables: {
        Args: Record<PropertyKey, never>
        Returns: {
          name: string
        }[]
      }
      admin_audit_totals: {
        Args: { p_zone?: string }
        Returns: {
          active_users: number
          logs: number
          tables: number
          today: number
        }[]
      }
      admin_begin_import: { Args: { p_file_name: string }; Returns: string }
      admin_business_effects: {
        Args: { p_business_id: string }
        Returns: {
          open_bookings: number
          photos: number
          reviews: number
          services: number
        }[]
      }
      admin_business_metrics: {
        Args: { p_search?: string }
        Returns: {
          display_id: string
          id: string
          metric_date: string
          name: string
          num_bookmarks: number
          num_total_page_views: number
          online_bookings: number
          owner_id: string
          rating: number
          total_leads: number
        }[]
      }
      admin_business_types: {
        Args: Record<PropertyKey, never>
        Returns: {
          type: string
        }[]
      }
      admin_businesses: {
        Args: { p_search?: string; p_type?: string }
        Returns: {
          address: string | null
          amenities: NonNullable<Json>
          availability_revision: number
          booking_buffer_minutes: number
          booking_capacity: number
          booking_days_ahead: number
          booking_notice_minutes: number
          category_code: string | null
          city_slug: string | null
          combined_rating: number | null
          company_values: string[] | null
          created_at: string
          description: string | null
          display_id: string
          hours: Json | null
          id: string
          image_url: string | null
          is_claimed: boolean
          is_promoted: boolean
          is_test: boolean
          languages: string[] | null
          last_slots: number[] | null
          latitude: number
          location: string
          logo_url: string | null
          longitude: number
          migrated_url: boolean
          name: string
          old_slug: string | null
          open_week: unknown
          owner_id: string | null
          phone: string | null
          price_from: number | null
          ranking: number
          rating: number | null
          rating_sources: Json | null
          search_document: unknown
          slug: string
          sort_rating: number
          source: string
          tagline: string | null
          time_zone: string
          type: string
          types: string[] | null
          updated_at: string
          url_path: string | null
          user_ratings_total: number
          verification_status: string
          website: string | null
          weekday_text: string[] | null
        }[]
        SetofOptions: {
          from: "*"
          to: "businesses"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_categories: {
        Args: { p_search?: string }
        Returns: {
          created_at: string
          icon: string | null
          id: string
          name: string
        }[]
        SetofOptions: {
          from: "*"
          to: "categories"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_check_import: { Args: { p_import: string }; Returns: undefined }
      admin_claims: {
        Args: { p_search?: string }
        Returns: {
          admin_notes: string | null
          business_email: string
          business_id: string
          business_phone: string | null
          document_path: string | null
          full_name: string
          id: string
          reviewed_at: string | null
          reviewed_by: string | null
          role_at_company: string
          status: string
          submitted_at: string
          user_id: string
          verification_method: string
          verified_at: string | null
          verified_by: string | null
        }[]
        SetofOptions: {
          from: "*"
          to: "claim_requests"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_clear_all_data: {
        Args: { p_phrase: string }
        Returns: {
          removed: number
          what: string
        }[]
      }
      admin_clear_test_data: {
        Args: { p_with_profiles?: boolean }
        Returns: {
          removed: number
          what: string
        }[]
      }
      admin_create_sample_reports: {
        Args: { p_complete: boolean }
        Returns: {
          made: number
          what: string
        }[]
      }
      admin_create_test_scenario: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      admin_create_test_users: {
        Args: Record<PropertyKey, never>
        Returns: number
      }
      admin_delete_user: { Args: { p_user_ids: string[] }; Returns: number }
      admin_discard_import: { Args: { p_import: string }; Returns: undefined }
      admin_import: {
        Args: Record<PropertyKey, never>
        Returns: {
          created_at: string
          done: number
          duplicates: number
          error: string
          faulty: number
          file_name: string
          id: string
          imported: number
          ready: number
          skip_duplicates: boolean
          state: string
          total: number
        }[]
      }
      admin_integrity_check: {
        Args: { p_check: string }
        Returns: {
          check_key: string
          error: string
          findings: Json
          name: string
          status: string
          total: number
        }[]
      }
      admin_integrity_checks: {
        Args: Record<PropertyKey, never>
        Returns: {
          check_key: string
          is_repairable: boolean
          last_checked_at: string
          last_error: string
          last_status: string
          last_total: number
          name: string
          severity: string
        }[]
      }
      admin_integrity_findings: {
        Args: { p_check: string }
        Returns: {
          detail: string
          id: string
          link: string
          name: string
        }[]
      }
      admin_locations: {
        Args: { p_search?: string }
        Returns: {
          created_at: string
          id: string
          original: string
          slug: string
          type: string
        }[]
        SetofOptions: {
          from: "*"
          to: "url_mappings"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      admin_log_in_as: { Args: { p_user_id: string }; Returns: string }
      admin_metrics_days: {
        Args: { p_first: string; p_last: string }
        Returns: {
          businesses: number
          metric_date: string
          num_bookmarks: number
          num_calls: number
          num_check_ins: number
          num_directions_and_map_views: number
          num_messages_to_business: number
          num_photo_views: number
          num_search_views: number
          num_total_page_views: number
          num_user_photos: number
          online_bookings: number
          reviews: number
          total_leads: number
          url_clicks: number
        }[]
      }
      admin_migrate_urls: {
        Args: { p_after?: string; p_limit?: number }
        Returns: {
          business_id: string
          error: string
          name: string
          new_url: string
          old_url: string
        }[]
      }
      admin_repair_integrity: {
        Args: { p_check: string; p_ids: string[] }
        Returns: {
          id: string
          result: string
        }[]
      }
      admin_replace_category: {
        Args: { p_category_id: string; p_replacement_id: string }
        Returns: number
      }
      admin_run_import: {
        Args: { p_import: string; p_skip_duplicates: boolean }
        Returns: undefined
      }
      admin_schema: {
        Args: Record<PropertyKey, never>
        Returns: {
          bytes: number
          columns: Json
          comment: string
          has_rls: boolean
          kind: string
          name: string
          policies: Json
          row_estimate: number
        }[]
      }
      admin_seed_test_data: {
        Args: { p_intensity: string }
        Returns: {
          made: number
          what: string
        }[]
      }
      admin_set_role: {
        Args: { p_role: string; p_user_ids: string[] }
        Returns: number
      }
      admin_stage_import: {
        Args: { p_columns: string[]; p_import: string; p_rows: Json }
        Returns: undefined
      }
      admin_test_tools: {
        Args: Record<PropertyKey, never>
        Returns: {
          bookings: number
          businesses: number
          is_on: boolean
          profiles: number
          reports: number
          reviews: number
        }[]
      }
      admin_test_users: {
        Args: Record<PropertyKey, never>
        Returns: {
          avatar_url: string
          display_id: string
          email: string
          full_name: string
          id: string
          last_sign_in_at: string
          role: string
        }[]
      }
      admin_top_businesses: {
        Args: { p_first_month: string; p_last_month: string }
        Returns: {
          business_id: string
          figure: number
          metric: string
          name: string
          place: number
        }[]
      }
      admin_url_totals: {
        Args: Record<PropertyKey, never>
        Returns: {
          migrated: number
          remaining: number
          total: number
        }[]
      }
      admin_user_effects: {
        Args: { p_user_ids: string[] }
        Returns: {
          bookings: number
          businesses: number
          reviews: number
        }[]
      }
      admin_users: {
        Args: {
          p_order?: string
          p_page?: number
          p_page_size?: number
          p_role?: string
          p_search?: string
        }
        Returns: {
          avatar_url: string
          created_at: string
          display_id: string
          full_name: string
          id: string
          role: string
          total: number
        }[]
      }
      analytics_hours: {
        Args: { p_business_id: string; p_first: string; p_last: string }
        Returns: {
          bookings: number
          hour: number
          weekday: number
        }[]
      }
      analytics_revenue: {
        Args: {
          p_bucket: string
          p_business_id: string
          p_first: string
          p_last: string
        }
        Returns: {
          completed: number
          ends: string
          revenue: number
          starts: string
        }[]
      }
      analytics_services: {
        Args: { p_business_id: string; p_first: string; p_last: string }
        Returns: {
          bookings: number
          cancelled: number
          completed: number
          confirmed: number
          key: string
          name: string
          pending: number
          revenue: number
        }[]
      }
      analytics_totals: {
        Args: { p_business_id: string; p_first: string; p_last: string }
        Returns: {
          bookings: number
          cancelled: number
          completed: number
          period: string
          revenue: number
        }[]
      }
      answer_booking_time: {
        Args: {
          p_accept: boolean
          p_booking_id: string
          p_date: string
          p_start: string
        }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      best_businesses: {
        Args: {
          bounds?: number[]
          category?: string
          find_desc?: string
          find_loc?: string
          free_on?: string
          max_price?: number
          min_price?: number
          min_rating?: number
          near_latitude?: number
          near_longitude?: number
          open_now?: boolean
          sort_by?: string
          with_amenities?: string[]
          within_km?: number
        }
        Returns: {
          address: string | null
          amenities: NonNullable<Json>
          availability_revision: number
          booking_buffer_minutes: number
          booking_capacity: number
          booking_days_ahead: number
          booking_notice_minutes: number
          category_code: string | null
          city_slug: string | null
          combined_rating: number | null
          company_values: string[] | null
          created_at: string
          description: string | null
          display_id: string
          hours: Json | null
          id: string
          image_url: string | null
          is_claimed: boolean
          is_promoted: boolean
          is_test: boolean
          languages: string[] | null
          last_slots: number[] | null
          latitude: number
          location: string
          logo_url: string | null
          longitude: number
          migrated_url: boolean
          name: string
          old_slug: string | null
          open_week: unknown
          owner_id: string | null
          phone: string | null
          price_from: number | null
          ranking: number
          rating: number | null
          rating_sources: Json | null
          search_document: unknown
          slug: string
          sort_rating: number
          source: string
          tagline: string | null
          time_zone: string
          type: string
          types: string[] | null
          updated_at: string
          url_path: string | null
          user_ratings_total: number
          verification_status: string
          website: string | null
          weekday_text: string[] | null
        }[]
        SetofOptions: {
          from: "*"
          to: "businesses"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      block_conversation: {
        Args: { p_blocked: boolean; p_conversation_id: string }
        Returns: undefined
      }
      booked_slots: {
        Args: { p_business_id: string; p_date: string }
        Returns: {
          end_time: string
          start_time: string
        }[]
      }
      booking_slots: {
        Args: { p_business_id: string; p_date: string; p_service_id: string }
        Returns: {
          available: boolean
          end_time: string
          reason: string
          start_time: string
        }[]
      }
      build_business_url: {
        Args: {
          category: string
          company_name: string
          id: string
          location: string
        }
        Returns: string
      }
      cancel_booking: {
        Args: { p_booking_id: string; p_reason?: string }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      claim_code_state: {
        Args: { p_claim_id: string }
        Returns: {
          problem: string
          resend_in: number
          seconds_left: number
          sent_to: string
          tries_left: number
        }[]
      }
      count_businesses: {
        Args: {
          bounds?: number[]
          category?: string
          find_desc?: string
          find_loc?: string
          free_on?: string
          max_price?: number
          min_price?: number
          min_rating?: number
          near_latitude?: number
          near_longitude?: number
          open_now?: boolean
          with_amenities?: string[]
          within_km?: number
        }
        Returns: number
      }
      ensure_profile: {
        Args: Record<PropertyKey, never>
        Returns: {
          avatar_url: string
          full_name: string
          id: string
          role: string
        }[]
      }
      extract_city_name: { Args: { full_address: string }; Returns: string }
      has_role: { Args: { required: string }; Returns: boolean }
      is_account_locked: { Args: { p_user_id: string }; Returns: boolean }
      is_admin: { Args: Record<PropertyKey, never>; Returns: boolean }
      log_security_event: {
        Args: {
          p_event_type: string
          p_metadata?: Json
          p_user_agent?: string
          p_user_id: string
        }
        Returns: undefined
      }
      logo: {
        Args: { business: Database["public"]["Tables"]["businesses"]["Row"] }
        Returns: string
      }
      map_business_type_to_category: {
        Args: { business_type: string }
        Returns: string
      }
      mark_conversation_read: {
        Args: { p_conversation_id: string }
        Returns: undefined
      }
      mark_no_show: {
        Args: { p_booking_id: string }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      matching_services: {
        Args: { find_desc: string; p_business_ids: string[] }
        Returns: {
          business_id: string
          name: string
          price: number
        }[]
      }
      my_conversations: {
        Args: Record<PropertyKey, never>
        Returns: {
          blocked_by_me: boolean
          business_category: string
          business_id: string
          business_image_url: string
          business_name: string
          id: string
          is_open: boolean
          is_owner: boolean
          last_at: string
          last_content: string
          last_has_photos: boolean
          last_sent_by_me: boolean
          other_avatar_url: string
          other_id: string
          other_name: string
          unread: number
        }[]
      }
      next_free_slot: {
        Args: { p_business_id: string; p_service_id?: string }
        Returns: {
          booking_date: string
          end_time: string
          start_time: string
        }[]
      }
      next_free_slots: {
        Args: { p_business_ids: string[] }
        Returns: {
          booking_date: string
          business_id: string
          start_time: string
        }[]
      }
      promoted_businesses: {
        Args: {
          bounds?: number[]
          category?: string
          find_desc?: string
          find_loc?: string
          free_on?: string
          max_price?: number
          min_price?: number
          min_rating?: number
          near_latitude?: number
          near_longitude?: number
          open_now?: boolean
          sort_by?: string
          with_amenities?: string[]
          within_km?: number
        }
        Returns: {
          address: string | null
          amenities: NonNullable<Json>
          availability_revision: number
          booking_buffer_minutes: number
          booking_capacity: number
          booking_days_ahead: number
          booking_notice_minutes: number
          category_code: string | null
          city_slug: string | null
          combined_rating: number | null
          company_values: string[] | null
          created_at: string
          description: string | null
          display_id: string
          hours: Json | null
          id: string
          image_url: string | null
          is_claimed: boolean
          is_promoted: boolean
          is_test: boolean
          languages: string[] | null
          last_slots: number[] | null
          latitude: number
          location: string
          logo_url: string | null
          longitude: number
          migrated_url: boolean
          name: string
          old_slug: string | null
          open_week: unknown
          owner_id: string | null
          phone: string | null
          price_from: number | null
          ranking: number
          rating: number | null
          rating_sources: Json | null
          search_document: unknown
          slug: string
          sort_rating: number
          source: string
          tagline: string | null
          time_zone: string
          type: string
          types: string[] | null
          updated_at: string
          url_path: string | null
          user_ratings_total: number
          verification_status: string
          website: string | null
          weekday_text: string[] | null
        }[]
        SetofOptions: {
          from: "*"
          to: "businesses"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      propose_booking_time: {
        Args: { p_booking_id: string; p_date: string; p_start: string }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      rating_distribution: {
        Args: { p_business_id: string }
        Returns: {
          reviews: number
          stars: number
        }[]
      }
      refresh_metrics: { Args: Record<PropertyKey, never>; Returns: boolean }
      reorder_business_photos: {
        Args: { p_business_id: string; p_photo_ids: string[] }
        Returns: undefined
      }
      review_applications: {
        Args: { p_decision: string; p_ids: string[] }
        Returns: number
      }
      review_claim: {
        Args: { p_claim_id: string; p_decision: string; p_notes?: string }
        Returns: {
          admin_notes: string | null
          business_email: string
          business_id: string
          business_phone: string | null
          document_path: string | null
          full_name: string
          id: string
          reviewed_at: string | null
          reviewed_by: string | null
          role_at_company: string
          status: string
          submitted_at: string
          user_id: string
          verification_method: string
          verified_at: string | null
          verified_by: string | null
        }
        SetofOptions: {
          from: "*"
          to: "claim_requests"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      review_reports: {
        Args: { p_ids: string[]; p_status: string }
        Returns: number
      }
      save_availability: {
        Args: {
          p_blackout_dates: string[]
          p_buffer_minutes?: number
          p_business_id: string
          p_capacity?: number
          p_days_ahead?: number
          p_notice_minutes?: number
          p_revision?: number
          p_weekly_schedule: Json
        }
        Returns: number
      }
      search_alternatives: {
        Args: {
          bounds?: number[]
          category?: string
          find_desc?: string
          find_loc?: string
          free_on?: string
          max_price?: number
          min_price?: number
          min_rating?: number
          near_latitude?: number
          near_longitude?: number
          open_now?: boolean
          with_amenities?: string[]
          within_km?: number
        }
        Returns: {
          businesses: number
          distance_km: number
          kind: string
          name: string
          target: string
        }[]
      }
      search_businesses: {
        Args: { category?: string; find_desc?: string; find_loc?: string }
        Returns: {
          address: string | null
          amenities: NonNullable<Json>
          availability_revision: number
          booking_buffer_minutes: number
          booking_capacity: number
          booking_days_ahead: number
          booking_notice_minutes: number
          category_code: string | null
          city_slug: string | null
          combined_rating: number | null
          company_values: string[] | null
          created_at: string
          description: string | null
          display_id: string
          hours: Json | null
          id: string
          image_url: string | null
          is_claimed: boolean
          is_promoted: boolean
          is_test: boolean
          languages: string[] | null
          last_slots: number[] | null
          latitude: number
          location: string
          logo_url: string | null
          longitude: number
          migrated_url: boolean
          name: string
          old_slug: string | null
          open_week: unknown
          owner_id: string | null
          phone: string | null
          price_from: number | null
          ranking: number
          rating: number | null
          rating_sources: Json | null
          search_document: unknown
          slug: string
          sort_rating: number
          source: string
          tagline: string | null
          time_zone: string
          type: string
          types: string[] | null
          updated_at: string
          url_path: string | null
          user_ratings_total: number
          verification_status: string
          website: string | null
          weekday_text: string[] | null
        }[]
        SetofOptions: {
          from: "*"
          to: "businesses"
          isOneToOne: false
          isSetofReturn: true
        }
      }
      search_meaning: {
        Args: { find_desc: string }
        Returns: {
          meant: string
          typed: string
        }[]
      }
      security_overview: {
        Args: Record<PropertyKey, never>
        Returns: {
          event_type: string
          events: number
        }[]
      }
      session_cleanup: { Args: { p_token: string }; Returns: undefined }
      set_booking_status: {
        Args: { p_booking_id: string; p_reason?: string; p_status: string }
        Returns: {
          booking_date: string
          buffer_minutes: number
          business_id: string | null
          business_name: string
          cancel_kind: string | null
          cancel_reason: string | null
          created_at: string
          customer_name: string | null
          customer_phone: string | null
          during: unknown
          end_time: string
          held: unknown
          id: string
          is_test: boolean
          notes: string | null
          place: number
          proposed_by: string | null
          proposed_date: string | null
          proposed_start: string | null
          service_duration: number
          service_id: string | null
          service_name: string
          service_price: number
          source: string
          start_time: string
          status: string
          time_zone: string
          updated_at: string
          user_id: string | null
        }
        SetofOptions: {
          from: "*"
          to: "bookings"
          isOneToOne: true
          isSetofReturn: false
        }
      }
      start_session: { Args: Record<PropertyKey, never>; Returns: string }
      suggest_places: {
        Args: { term: string }
        Returns: {
          businesses: number
          country: string
          latitude: number
          longitude: number
          name: string
          slug: string
        }[]
      }
      suggest_searches: {
        Args: { term: string }
        Returns: {
          detail: string
          kind: string
          label: string
          target: string
        }[]
      }
      suggest_synonyms: {
        Args: { term: string }
        Returns: {
          category_slug: string
          language_code: string
          match: string
          priority: number
          synonym_term: string
        }[]
      }
      terminate_session: { Args: { p_session_id: string }; Returns: boolean }
      touch_session: {
        Args: Record<PropertyKey, never>
        Returns: {
          active: boolean
          expires_at: string
          timeout_minutes: number
          times_out_at: string
        }[]
      }
      validate_password_strength: { Args: { password: string }; Returns: Json }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
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
  public: {
    Enums: {},
  },
} as const
