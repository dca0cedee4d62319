SET session_replication_role = replica;

--
-- PostgreSQL database dump
--

-- \restrict kQ0r8vPzcN1tW7yB

-- \restrict fhpbcZk0JY7iFVbqllRsnmyq3UQwYtJyTzTWbdSKozXX1PcPokp23VeQaeuYSDd


SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Data for Name: audit_log_entries; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."audit_log_entries" ("instance_id", "id", "payload", "created_at", "ip_address") FROM stdin;
00000000-0000-0000-0000-000000000000	dddddddd-0000-4000-8000-000000000001	{"action":"login","actor_id":"11111111-1111-4111-8111-111111111111"}	2026-08-01 00:00:00+00	203.0.113.7
\.


--
-- Data for Name: custom_oauth_providers; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."custom_oauth_providers" ("id", "provider_type", "identifier", "name", "client_id", "client_secret", "acceptable_client_ids", "scopes", "pkce_enabled", "attribute_mapping", "authorization_params", "enabled", "email_optional", "issuer", "discovery_url", "skip_nonce_check", "cached_discovery", "discovery_cached_at", "authorization_url", "token_url", "userinfo_url", "jwks_uri", "created_at", "updated_at", "custom_claims_allowlist") FROM stdin;
\.


--
-- Data for Name: flow_state; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."flow_state" ("id", "user_id", "auth_code", "code_challenge_method", "code_challenge", "provider_type", "provider_access_token", "provider_refresh_token", "created_at", "updated_at", "authentication_method", "auth_code_issued_at", "invite_token", "referrer", "oauth_client_state_id", "linking_target_id", "email_optional") FROM stdin;
dddddddd-0000-4000-8000-000000000003	11111111-1111-4111-8111-111111111111	dddddddd-0000-4000-8000-00000000000c	s256	abc	email	\N	\N	2026-08-01 00:00:00+00	2026-08-01 00:00:00+00	magiclink	\N	\N	\N	\N	\N	f
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."users" ("instance_id", "id", "aud", "role", "email", "encrypted_password", "email_confirmed_at", "invited_at", "confirmation_token", "confirmation_sent_at", "recovery_token", "recovery_sent_at", "email_change_token_new", "email_change", "email_change_sent_at", "last_sign_in_at", "raw_app_meta_data", "raw_user_meta_data", "is_super_admin", "created_at", "updated_at", "phone", "phone_confirmed_at", "phone_change", "phone_change_token", "phone_change_sent_at", "email_change_token_current", "email_change_confirm_status", "banned_until", "reauthentication_token", "reauthentication_sent_at", "is_sso_user", "deleted_at", "is_anonymous") FROM stdin;
00000000-0000-0000-0000-000000000000	11111111-1111-4111-8111-111111111111	authenticated	authenticated	ana@example.com	$2a$10$3Bf3tDWmHMOEAi17/H/KcOfCf7JwK8ZnkqPFcsAcwcbWSWZrrvDJm	2026-01-02 03:04:05+00	\N		\N		\N			\N	2026-08-01 10:00:00+00	{"provider": "email", "providers": ["email", "github"]}	{"full_name": "Ana Puig"}	\N	2026-01-02 03:04:05+00	2026-08-01 10:00:00+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	22222222-2222-4222-8222-222222222222	authenticated	authenticated	ben@example.com	$2a$10$Cf2qjDsMzydbOmmVLn5oCOiSqYMqKo8C9lDb4Vv.IIxqpJDhqo0la	2026-01-03 03:04:05+00	\N		\N		\N			\N	2026-08-02 10:00:00+00	{"provider": "email", "providers": ["email"]}	{"full_name": "Ben \\\\ Tab\\t\\"Quoted\\""}	\N	2026-01-03 03:04:05+00	2026-08-02 10:00:00+00	\N	\N			\N		0	\N		\N	f	\N	f
\.


--
-- Data for Name: identities; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."identities" ("provider_id", "user_id", "identity_data", "provider", "last_sign_in_at", "created_at", "updated_at", "id") FROM stdin;
11111111-1111-4111-8111-111111111111	11111111-1111-4111-8111-111111111111	{"sub": "11111111-1111-4111-8111-111111111111", "email": "ana@example.com", "email_verified": true}	email	2026-08-01 10:00:00+00	2026-01-02 03:04:05+00	2026-08-01 10:00:00+00	aaaaaaaa-0000-4000-8000-000000000001
4711	11111111-1111-4111-8111-111111111111	{"sub": "4711", "email": "ana@example.com", "user_name": "anapuig"}	github	2026-08-01 10:00:00+00	2026-02-02 03:04:05+00	2026-08-01 10:00:00+00	aaaaaaaa-0000-4000-8000-000000000002
22222222-2222-4222-8222-222222222222	22222222-2222-4222-8222-222222222222	{"sub": "22222222-2222-4222-8222-222222222222", "email": "ben@example.com", "email_verified": true}	email	2026-08-02 10:00:00+00	2026-01-03 03:04:05+00	2026-08-02 10:00:00+00	aaaaaaaa-0000-4000-8000-000000000003
\.


--
-- Data for Name: instances; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."instances" ("id", "uuid", "raw_base_config", "created_at", "updated_at") FROM stdin;
00000000-0000-0000-0000-000000000000	\N	\N	\N	\N
\.


--
-- Data for Name: oauth_clients; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."oauth_clients" ("id", "client_secret_hash", "registration_type", "redirect_uris", "grant_types", "client_name", "client_uri", "logo_uri", "created_at", "updated_at", "deleted_at", "client_type", "token_endpoint_auth_method") FROM stdin;
\.


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."sessions" ("id", "user_id", "created_at", "updated_at", "factor_id", "aal", "not_after", "refreshed_at", "user_agent", "ip", "tag", "oauth_client_id", "refresh_token_hmac_key", "refresh_token_counter", "scopes") FROM stdin;
bbbbbbbb-0000-4000-8000-000000000001	11111111-1111-4111-8111-111111111111	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	\N	aal1	\N	2026-11-27 20:50:43.999273	node	203.0.113.7	\N	\N	\N	\N	\N
\.


--
-- Data for Name: mfa_amr_claims; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."mfa_amr_claims" ("session_id", "created_at", "updated_at", "authentication_method", "id") FROM stdin;
bbbbbbbb-0000-4000-8000-000000000001	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	password	bbbbbbbb-0000-4000-8000-000000000002
\.


--
-- Data for Name: mfa_factors; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."mfa_factors" ("id", "user_id", "friendly_name", "factor_type", "status", "created_at", "updated_at", "secret", "phone", "last_challenged_at", "web_authn_credential", "web_authn_aaguid", "last_webauthn_challenge_data") FROM stdin;
cccccccc-0000-4000-8000-000000000001	22222222-2222-4222-8222-222222222222	phone	totp	verified	2026-03-01 00:00:00+00	2026-03-01 00:00:00+00	JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP	\N	\N	\N	\N	\N
\.


--
-- Data for Name: mfa_challenges; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."mfa_challenges" ("id", "factor_id", "created_at", "verified_at", "ip_address", "otp_code", "web_authn_session_data") FROM stdin;
\.


--
-- Data for Name: oauth_authorizations; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."oauth_authorizations" ("id", "authorization_id", "client_id", "user_id", "redirect_uri", "scope", "state", "resource", "code_challenge", "code_challenge_method", "response_type", "status", "authorization_code", "created_at", "expires_at", "approved_at", "nonce") FROM stdin;
\.


--
-- Data for Name: oauth_client_states; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."oauth_client_states" ("id", "provider_type", "code_verifier", "created_at") FROM stdin;
\.


--
-- Data for Name: oauth_consents; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."oauth_consents" ("id", "user_id", "client_id", "scopes", "granted_at", "revoked_at") FROM stdin;
\.


--
-- Data for Name: one_time_tokens; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."one_time_tokens" ("id", "user_id", "token_type", "token_hash", "relates_to", "created_at", "updated_at") FROM stdin;
dddddddd-0000-4000-8000-000000000002	22222222-2222-4222-8222-222222222222	recovery_token	abcdef0123456789	ben@example.com	2026-11-27 20:50:43.999273	2026-11-27 20:50:43.999273
\.


--
-- Data for Name: refresh_tokens; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."refresh_tokens" ("instance_id", "id", "token", "user_id", "revoked", "created_at", "updated_at", "parent", "session_id") FROM stdin;
00000000-0000-0000-0000-000000000000	41	refreshtokenof	11111111-1111-4111-8111-111111111111	t	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	\N	bbbbbbbb-0000-4000-8000-000000000001
00000000-0000-0000-0000-000000000000	42	v4lidanatokn	11111111-1111-4111-8111-111111111111	f	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	refreshtokenof	bbbbbbbb-0000-4000-8000-000000000001
\.


--
-- Data for Name: sso_providers; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."sso_providers" ("id", "resource_id", "created_at", "updated_at", "disabled") FROM stdin;
eeeeeeee-0000-4000-8000-000000000001	acme	2026-01-01 00:00:00+00	\N	\N
\.


--
-- Data for Name: saml_providers; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."saml_providers" ("id", "sso_provider_id", "entity_id", "metadata_xml", "metadata_url", "attribute_mapping", "created_at", "updated_at", "name_id_format") FROM stdin;
eeeeeeee-0000-4000-8000-000000000003	eeeeeeee-0000-4000-8000-000000000001	https://acme.example/saml	<EntityDescriptor/>	\N	\N	\N	\N	\N
\.


--
-- Data for Name: saml_relay_states; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."saml_relay_states" ("id", "sso_provider_id", "request_id", "for_email", "redirect_to", "created_at", "updated_at", "flow_state_id") FROM stdin;
eeeeeeee-0000-4000-8000-000000000004	eeeeeeee-0000-4000-8000-000000000001	id-1	\N	\N	\N	\N	\N
\.


--
-- Data for Name: sso_domains; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."sso_domains" ("id", "sso_provider_id", "domain", "created_at", "updated_at") FROM stdin;
eeeeeeee-0000-4000-8000-000000000002	eeeeeeee-0000-4000-8000-000000000001	acme.example	\N	\N
\.


--
-- Data for Name: webauthn_challenges; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."webauthn_challenges" ("id", "user_id", "challenge_type", "session_data", "created_at", "expires_at") FROM stdin;
\.


--
-- Data for Name: webauthn_credentials; Type: TABLE DATA; Schema: auth; Owner: postgres
--

COPY "auth"."webauthn_credentials" ("id", "user_id", "credential_id", "public_key", "attestation_type", "aaguid", "sign_count", "transports", "backup_eligible", "backed_up", "friendly_name", "created_at", "updated_at", "last_used_at") FROM stdin;
\.


--
-- Data for Name: job; Type: TABLE DATA; Schema: cron; Owner: supabase_admin
--

COPY "cron"."job" ("jobid", "schedule", "command", "nodename", "nodeport", "database", "username", "active", "jobname") FROM stdin;
3	0 3 1 1 *	delete from private.audit where at < now() - interval '1 year'	localhost	5432	postgres	postgres	t	old-audit
\.


--
-- Data for Name: job_run_details; Type: TABLE DATA; Schema: cron; Owner: supabase_admin
--

COPY "cron"."job_run_details" ("jobid", "runid", "job_pid", "database", "username", "command", "status", "return_message", "start_time", "end_time") FROM stdin;
3	9	1234	postgres	postgres	delete from private.audit where at < now() - interval '1 year'	succeeded	DELETE 0	2026-01-01 03:00:00+00	2026-01-01 03:00:00.01+00
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: private; Owner: postgres
--

COPY "private"."audit" ("id", "note_id", "happened", "at") FROM stdin;
1	1	INSERT	2026-11-27 20:50:43.999273+00
2	2	INSERT	2026-11-27 20:50:43.999273+00
3	3	INSERT	2026-11-27 20:50:43.999273+00
\.


--
-- Data for Name: events_2026; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY "public"."guides" ("id", "embedding") FROM stdin;
1	[1,2,3]
2	[4,5,6]
\.


COPY "public"."events_2026" ("id", "happened_on") FROM stdin;
1	2026-05-05
\.


--
-- Data for Name: profiles; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY "public"."profiles" ("id", "full_name", "updated_at") FROM stdin;
11111111-1111-4111-8111-111111111111	Ana Puig	2026-01-02 03:04:05+00
22222222-2222-4222-8222-222222222222	Ben \\ Tab\t"Quoted"	2026-01-03 03:04:05+00
\.


--
-- Data for Name: notes; Type: TABLE DATA; Schema: public; Owner: postgres
--

COPY "public"."notes" ("id", "owner", "slug", "title", "body", "status", "tags", "at", "created_at") FROM stdin;
1	11111111-1111-4111-8111-111111111111	first	First note	one\ttwo\nthree \\ four	published	{a,"b c"}	(41.500000,2.100000)	2026-02-03 00:00:00+00
2	11111111-1111-4111-8111-111111111111	second	Draft	\N	draft	{}	\N	2026-02-04 00:00:00+00
3	22222222-2222-4222-8222-222222222222	third	Ben's note	\\.	published	{}	\N	2026-02-05 00:00:00+00
\.


--
-- Data for Name: buckets; Type: TABLE DATA; Schema: storage; Owner: supabase_storage_admin
--

COPY "storage"."buckets" ("id", "name", "owner", "created_at", "updated_at", "public", "avif_autodetection", "file_size_limit", "allowed_mime_types", "owner_id", "type", "versioning_status") FROM stdin;
avatars	avatars	\N	2026-01-05 00:00:00+00	2026-01-05 00:00:00+00	t	f	1000000	{image/png}	\N	STANDARD	DISABLED
documents	documents	\N	2026-01-06 00:00:00+00	2026-01-06 00:00:00+00	f	f	\N	\N	\N	STANDARD	DISABLED
\.


--
-- Data for Name: buckets_analytics; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."buckets_analytics" ("name", "type", "format", "created_at", "updated_at", "id", "deleted_at") FROM stdin;
warehouse	ANALYTICS	ICEBERG	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	abababab-0000-4000-8000-000000000001	\N
\.


--
-- Data for Name: buckets_vectors; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."buckets_vectors" ("id", "type", "created_at", "updated_at") FROM stdin;
embeddings	VECTOR	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00
\.


--
-- Data for Name: iceberg_namespaces; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."iceberg_namespaces" ("id", "bucket_name", "name", "created_at", "updated_at", "metadata", "catalog_id") FROM stdin;
abababab-0000-4000-8000-000000000002	warehouse	sales	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	{}	abababab-0000-4000-8000-000000000001
\.


--
-- Data for Name: iceberg_tables; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."iceberg_tables" ("id", "namespace_id", "bucket_name", "name", "location", "created_at", "updated_at", "remote_table_id", "shard_key", "shard_id", "catalog_id") FROM stdin;
57ee44ee-933b-45cf-a435-a367e84da184	abababab-0000-4000-8000-000000000002	warehouse	orders	s3://x/orders	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00	\N	\N	\N	abababab-0000-4000-8000-000000000001
\.


--
-- Data for Name: objects; Type: TABLE DATA; Schema: storage; Owner: supabase_storage_admin
--

COPY "storage"."objects" ("id", "bucket_id", "name", "owner", "created_at", "updated_at", "last_accessed_at", "metadata", "version", "owner_id", "user_metadata", "archived_at", "is_delete_marker", "is_versioned") FROM stdin;
ffffffff-0000-4000-8000-000000000001	avatars	ana.png	11111111-1111-4111-8111-111111111111	2026-02-01 00:00:00+00	2026-02-01 00:00:00+00	2026-02-01 00:00:00+00	{"eTag": "\\"900150983cd24fb0d6963f7d28e17f72\\"", "size": 3, "mimetype": "image/png", "cacheControl": "max-age=3600", "contentLength": 3, "httpStatusCode": 200}	0e5c1f6a-3d0a-4c5e-9d1f-000000000001	11111111-1111-4111-8111-111111111111	\N	\N	f	f
ffffffff-0000-4000-8000-000000000002	documents	11111111-1111-4111-8111-111111111111/plan 1.txt	11111111-1111-4111-8111-111111111111	2026-02-02 00:00:00+00	2026-02-02 00:00:00+00	2026-02-02 00:00:00+00	{"eTag": "\\"900150983cd24fb0d6963f7d28e17f72\\"", "size": 3, "mimetype": "text/plain", "cacheControl": "no-cache", "contentLength": 3, "httpStatusCode": 200}	0e5c1f6a-3d0a-4c5e-9d1f-000000000002	11111111-1111-4111-8111-111111111111	{"kind": "plan"}	\N	f	f
\.


--
-- Data for Name: s3_multipart_uploads; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."s3_multipart_uploads" ("id", "in_progress_size", "upload_signature", "bucket_id", "key", "version", "owner_id", "created_at", "user_metadata", "metadata") FROM stdin;
upload-1	5	sig	documents	half.bin	0e5c1f6a-3d0a-4c5e-9d1f-000000000003	\N	2026-11-27 20:50:43.999273+00	\N	\N
\.


--
-- Data for Name: s3_multipart_uploads_parts; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."s3_multipart_uploads_parts" ("id", "upload_id", "size", "part_number", "bucket_id", "key", "etag", "owner_id", "version", "created_at") FROM stdin;
8ae8bf71-c5bc-4a91-a989-d286bd9435d5	upload-1	5	1	documents	half.bin	e	\N	0e5c1f6a-3d0a-4c5e-9d1f-000000000003	2026-11-27 20:50:43.999273+00
\.


--
-- Data for Name: vector_indexes; Type: TABLE DATA; Schema: storage; Owner: postgres
--

COPY "storage"."vector_indexes" ("id", "name", "bucket_id", "data_type", "dimension", "distance_metric", "metadata_configuration", "created_at", "updated_at") FROM stdin;
vi-1	docs	embeddings	float32	384	cosine	\N	2026-11-27 20:50:43.999273+00	2026-11-27 20:50:43.999273+00
\.


--
-- Data for Name: hooks; Type: TABLE DATA; Schema: supabase_functions; Owner: postgres
--

COPY "supabase_functions"."hooks" ("id", "hook_table_id", "hook_name", "created_at", "request_id") FROM stdin;
1	1	on_note	2026-11-27 20:50:43.999273+00	7
\.


--
-- Name: refresh_tokens_id_seq; Type: SEQUENCE SET; Schema: auth; Owner: postgres
--

SELECT pg_catalog.setval('"auth"."refresh_tokens_id_seq"', 42, true);


--
-- Name: jobid_seq; Type: SEQUENCE SET; Schema: cron; Owner: supabase_admin
--

SELECT pg_catalog.setval('"cron"."jobid_seq"', 3, true);


--
-- Name: audit_id_seq; Type: SEQUENCE SET; Schema: private; Owner: postgres
--

SELECT pg_catalog.setval('"private"."audit_id_seq"', 3, true);


--
-- Name: invoice_numbers; Type: SEQUENCE SET; Schema: private; Owner: postgres
--

SELECT pg_catalog.setval('"private"."invoice_numbers"', 1000, true);


--
-- Name: notes_id_seq; Type: SEQUENCE SET; Schema: public; Owner: postgres
--

SELECT pg_catalog.setval('"public"."notes_id_seq"', 3, true);


--
-- Name: hooks_id_seq; Type: SEQUENCE SET; Schema: supabase_functions; Owner: postgres
--

SELECT pg_catalog.setval('"supabase_functions"."hooks_id_seq"', 1, true);


--
-- PostgreSQL database dump complete
--

-- \unrestrict fhpbcZk0JY7iFVbqllRsnmyq3UQwYtJyTzTWbdSKozXX1PcPokp23VeQaeuYSDd

RESET ALL;
