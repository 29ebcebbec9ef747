-- Written by hand, and first: indexes below need it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "account_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"request_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_request" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" integer,
	"email" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "account_request_kind_known" CHECK ("account_request"."kind" in ('password', 'email'))
);
--> statement-breakpoint
CREATE TABLE "affiliate_click" (
	"id" uuid PRIMARY KEY NOT NULL,
	"link_id" integer NOT NULL,
	"path" text NOT NULL,
	"clicked_at" timestamp with time zone NOT NULL,
	"carted_at" timestamp with time zone,
	"is_own" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "affiliate_link" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"code" text NOT NULL,
	"path" text NOT NULL,
	"campaign" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "affiliate_link_code_unique" UNIQUE("code"),
	CONSTRAINT "affiliate_link_to_a_page" CHECK (left("affiliate_link"."path", 1) = '/' and substr("affiliate_link"."path", 2, 1) not in ('/', chr(92)))
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" serial PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"shown_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"email" text,
	"is_partner" boolean DEFAULT false NOT NULL,
	"is_owner" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_user_username_unique" UNIQUE("username"),
	CONSTRAINT "app_user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "attribution" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"link_id" integer NOT NULL,
	"clicked_at" timestamp with time zone NOT NULL,
	"objection" text,
	"frozen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attribution_objection_known" CHECK ("attribution"."objection" is null or "attribution"."objection" in ('own_account', 'own_browser', 'own_email', 'own_address', 'own_card', 'own_wallet', 'partner_ended'))
);
--> statement-breakpoint
CREATE TABLE "call_request" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"email" text,
	"topic" text NOT NULL,
	"times" jsonb NOT NULL,
	"time_zone" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"agreed_time" timestamp with time zone,
	"reply" text,
	"created_at" timestamp with time zone NOT NULL,
	"answered_at" timestamp with time zone,
	CONSTRAINT "call_request_state_known" CHECK ("call_request"."state" in ('waiting', 'agreed', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "card_decline" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" uuid NOT NULL,
	"payer" text,
	"declined_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cart_line" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"variant_id" bigint NOT NULL,
	"quantity" smallint NOT NULL,
	"unit_price_when_added_cents" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_line_sessionId_variantId_unique" UNIQUE("session_id","variant_id"),
	CONSTRAINT "cart_quantity_in_range" CHECK ("cart_line"."quantity" between 1 and 99)
);
--> statement-breakpoint
CREATE TABLE "catalog_change" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"sync_id" integer NOT NULL,
	"product_id" integer NOT NULL,
	"variant_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"margin_before_cents" bigint,
	"margin_after_cents" bigint,
	"state" text NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "catalog_change_kind_known" CHECK ("catalog_change"."kind" in ('new', 'gone', 'price', 'cost', 'picture', 'details', 'upkeep', 'sold_out', 'discontinued', 'back_in_stock')),
	CONSTRAINT "catalog_change_state_known" CHECK ("catalog_change"."state" in ('applied', 'waiting', 'declined', 'reverted', 'superseded'))
);
--> statement-breakpoint
CREATE TABLE "catalog_sync" (
	"id" serial PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"whole" boolean NOT NULL,
	"state" text NOT NULL,
	"products" integer DEFAULT 0 NOT NULL,
	"variants" integer DEFAULT 0 NOT NULL,
	"remarks" text[] NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "catalog_sync_trigger_known" CHECK ("catalog_sync"."trigger" in ('import', 'schedule', 'event', 'owner')),
	CONSTRAINT "catalog_sync_state_known" CHECK ("catalog_sync"."state" in ('running', 'done', 'not_believed', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "chat" (
	"id" serial PRIMARY KEY NOT NULL,
	"session_id" text,
	"email" text,
	"started_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	CONSTRAINT "chat_sessionId_unique" UNIQUE("session_id")
);
--> statement-breakpoint
CREATE TABLE "chat_message" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chat_id" integer NOT NULL,
	"session_id" text NOT NULL,
	"author" text NOT NULL,
	"message" text NOT NULL,
	"timestamp" timestamp with time zone NOT NULL,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "chat_message_author_known" CHECK ("chat_message"."author" in ('visitor', 'shop'))
);
--> statement-breakpoint
CREATE TABLE "checkout" (
	"id" uuid PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"state" text NOT NULL,
	"order_number" text NOT NULL,
	"quote_hash" text NOT NULL,
	"currency" text DEFAULT 'usd' NOT NULL,
	"country" text NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"surcharge_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"provider" text,
	"provider_payment_id" text,
	"client_secret" text,
	"intent_quote_hash" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"terms_version" text,
	"terms_accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "checkout_orderNumber_unique" UNIQUE("order_number"),
	CONSTRAINT "checkout_provider_providerPaymentId_unique" UNIQUE("provider","provider_payment_id"),
	CONSTRAINT "checkout_total_adds_up" CHECK ("checkout"."total_cents" = "checkout"."subtotal_cents" + "checkout"."shipping_cents" + "checkout"."tax_cents" + "checkout"."vat_protection_cents"),
	CONSTRAINT "checkout_surcharge_within_shipping" CHECK ("checkout"."surcharge_cents" <= "checkout"."shipping_cents"),
	CONSTRAINT "checkout_amounts_not_negative" CHECK ("checkout"."subtotal_cents" >= 0 and "checkout"."shipping_cents" >= 0 and "checkout"."surcharge_cents" >= 0 and "checkout"."tax_cents" >= 0 and "checkout"."vat_protection_cents" >= 0),
	CONSTRAINT "checkout_currency_usd" CHECK ("checkout"."currency" = 'usd'),
	CONSTRAINT "checkout_state_known" CHECK ("checkout"."state" in ('open', 'held', 'paid', 'exception', 'released'))
);
--> statement-breakpoint
CREATE TABLE "checkout_version" (
	"checkout_id" uuid NOT NULL,
	"quote_hash" text NOT NULL,
	"wish_hash" text NOT NULL,
	"frozen" jsonb NOT NULL,
	"frozen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "checkout_version_checkout_id_quote_hash_pk" PRIMARY KEY("checkout_id","quote_hash")
);
--> statement-breakpoint
CREATE TABLE "commission_entry" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"link_id" integer NOT NULL,
	"order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_id" integer NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"base_cents" bigint NOT NULL,
	"basis_points" smallint NOT NULL,
	"amount_cents" bigint NOT NULL,
	"booked_at" timestamp with time zone NOT NULL,
	"approved_from" timestamp with time zone NOT NULL,
	"payout_id" integer,
	CONSTRAINT "commission_entry_once" UNIQUE("order_id","position","cause"),
	CONSTRAINT "commission_entry_kind_known" CHECK ("commission_entry"."kind" in ('sale', 'refund', 'refund_failed', 'dispute', 'dispute_won', 'own_purchase'))
);
--> statement-breakpoint
CREATE TABLE "contact_answer" (
	"id" serial PRIMARY KEY NOT NULL,
	"message_id" integer NOT NULL,
	"answer" text NOT NULL,
	"answered_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_message" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "copied_picture" (
	"file" text PRIMARY KEY NOT NULL,
	"source_url" text NOT NULL,
	"content_type" text NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "copied_picture_sourceUrl_unique" UNIQUE("source_url")
);
--> statement-breakpoint
CREATE TABLE "data_request" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dispute" (
	"provider" text NOT NULL,
	"dispute_id" text NOT NULL,
	"payment_key" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"respond_by" timestamp with time zone,
	"decided_at" timestamp with time zone,
	CONSTRAINT "dispute_provider_dispute_id_pk" PRIMARY KEY("provider","dispute_id"),
	CONSTRAINT "dispute_status_known" CHECK ("dispute"."status" in ('inquiry', 'open', 'won', 'lost')),
	CONSTRAINT "dispute_amounts_not_negative" CHECK ("dispute"."amount_cents" >= 0 and "dispute"."fee_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "erasure" (
	"email" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "facet_count" (
	"collection" text NOT NULL,
	"facet" text NOT NULL,
	"hex" text,
	"count" integer NOT NULL,
	CONSTRAINT "facet_count_collection_facet_pk" PRIMARY KEY("collection","facet")
);
--> statement-breakpoint
CREATE TABLE "ledger_entry" (
	"posting_id" bigint NOT NULL,
	"account" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	CONSTRAINT "ledger_entry_posting_id_account_pk" PRIMARY KEY("posting_id","account"),
	CONSTRAINT "entry_not_zero" CHECK ("ledger_entry"."amount_cents" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_posting" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"order_id" integer,
	"payment_key" text,
	"partner_id" integer,
	"booked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ledger_posting_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "listed_product" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"collection" text NOT NULL,
	"type" text NOT NULL,
	"listing_key" text collate "C" NOT NULL,
	"lowest_price_cents" bigint NOT NULL,
	"available" boolean NOT NULL,
	"facets" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"recipient_name" text,
	"order_id" integer,
	"about" text DEFAULT '' NOT NULL,
	"subject" text NOT NULL,
	"text_part" text NOT NULL,
	"html_part" text NOT NULL,
	"message_id" text NOT NULL,
	"headers" jsonb,
	"attachment" jsonb,
	"state" text DEFAULT 'queued' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "mail_messageId_unique" UNIQUE("message_id"),
	CONSTRAINT "mail_orderId_kind_about_unique" UNIQUE("order_id","kind","about"),
	CONSTRAINT "mail_state_known" CHECK ("mail"."state" in ('queued', 'sent', 'bounced'))
);
--> statement-breakpoint
CREATE TABLE "newsletter_issue" (
	"id" serial PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"path" text,
	"button" text,
	"state" text DEFAULT 'draft' NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	"begun_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"reached_id" integer DEFAULT 0 NOT NULL,
	"sent_to" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "newsletter_issue_state_known" CHECK ("newsletter_issue"."state" in ('draft', 'sending', 'sent'))
);
--> statement-breakpoint
CREATE TABLE "order_access" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_correction" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"made_by" text NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"corrected_at" timestamp with time zone NOT NULL,
	CONSTRAINT "corrected_by_one_of_them" CHECK ("order_correction"."made_by" in ('shopper', 'owner'))
);
--> statement-breakpoint
CREATE TABLE "order_line" (
	"order_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"product_id" integer NOT NULL,
	"variant_id" bigint NOT NULL,
	"product_name" text NOT NULL,
	"variant_name" text,
	"image_url" text,
	"collection" text NOT NULL,
	"quantity" smallint NOT NULL,
	"unit_price_cents" bigint NOT NULL,
	"partner_cost_cents" bigint,
	CONSTRAINT "order_line_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_line_quantity_in_range" CHECK ("order_line"."quantity" between 1 and 99),
	CONSTRAINT "order_line_price_positive" CHECK ("order_line"."unit_price_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "order_note" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"author" text NOT NULL,
	"words" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_step" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"fulfilment_status" text NOT NULL,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_viewer" (
	"session_id" text NOT NULL,
	"order_id" integer NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "order_viewer_session_id_order_id_pk" PRIMARY KEY("session_id","order_id")
);
--> statement-breakpoint
CREATE TABLE "owner_action" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" integer,
	"user_name" text NOT NULL,
	"address" text NOT NULL,
	"what" text NOT NULL,
	"about_kind" text NOT NULL,
	"about_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partner" (
	"id" integer PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"channel_url" text,
	"code" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	CONSTRAINT "partner_code_unique" UNIQUE("code"),
	CONSTRAINT "partner_state_known" CHECK ("partner"."state" in ('active', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "partner_application" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"channel" text NOT NULL,
	"audience" text NOT NULL,
	"message" text NOT NULL,
	"email" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reply" text,
	"created_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	CONSTRAINT "partner_application_state_known" CHECK ("partner_application"."state" in ('waiting', 'accepted', 'declined'))
);
--> statement-breakpoint
CREATE TABLE "partner_proposal" (
	"id" serial PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"version" smallint NOT NULL,
	"share_basis_points" smallint NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"offered_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"paragraphs" jsonb,
	CONSTRAINT "partner_proposal_userId_version_unique" UNIQUE("user_id","version"),
	CONSTRAINT "partner_proposal_share_in_range" CHECK ("partner_proposal"."share_basis_points" between 0 and 1500)
);
--> statement-breakpoint
CREATE TABLE "partner_rate" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"product_id" integer,
	"basis_points" smallint NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "partner_rate_in_range" CHECK ("partner_rate"."basis_points" between 0 and 1500)
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"payment_key" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"live" boolean NOT NULL,
	"checkout_id" uuid,
	"captured_at" timestamp with time zone NOT NULL,
	"fee_cents" bigint,
	"payer_hash" text,
	CONSTRAINT "payment_provider_paymentId_unique" UNIQUE("provider","payment_id"),
	CONSTRAINT "payment_amount_not_negative" CHECK ("payment"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payment_exception" (
	"id" serial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payment_key" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "payment_exception_paymentKey_unique" UNIQUE("payment_key")
);
--> statement-breakpoint
CREATE TABLE "payment_processing_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"payment_key" text NOT NULL,
	"payment_type" text NOT NULL,
	"payment_id" text NOT NULL,
	"status" text DEFAULT 'processing' NOT NULL,
	"processed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "payment_processing_log_paymentKey_unique" UNIQUE("payment_key")
);
--> statement-breakpoint
CREATE TABLE "payment_start" (
	"checkout_id" uuid PRIMARY KEY NOT NULL,
	"payer" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"is_card_open" boolean NOT NULL,
	"paid_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payout" (
	"id" serial PRIMARY KEY NOT NULL,
	"partner_id" integer NOT NULL,
	"reference" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"destination" text,
	"made_at" timestamp with time zone NOT NULL,
	"returned_at" timestamp with time zone,
	CONSTRAINT "payout_reference_unique" UNIQUE("reference"),
	CONSTRAINT "payout_positive" CHECK ("payout"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payout_account" (
	"partner_id" integer PRIMARY KEY NOT NULL,
	"details" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partner_order" (
	"id" bigint PRIMARY KEY NOT NULL,
	"external_id" text,
	"status" text NOT NULL,
	"cost_cents" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "partner_order_cost" CHECK ("partner_order"."cost_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "product" (
	"id" integer PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"collection" text NOT NULL,
	"type" text NOT NULL,
	"badge" text,
	"rating" numeric(2, 1) DEFAULT 5 NOT NULL,
	"review_count" integer DEFAULT 0 NOT NULL,
	"metadata" jsonb NOT NULL,
	"requires_options" boolean DEFAULT false NOT NULL,
	"sync_product_id" bigint,
	"provider_product_id" bigint,
	"asked_at" timestamp with time zone,
	"colors" jsonb NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"place" smallint,
	"in_file" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_slug_unique" UNIQUE("slug"),
	CONSTRAINT "product_syncProductId_unique" UNIQUE("sync_product_id"),
	CONSTRAINT "product_providerProductId_unique" UNIQUE("provider_product_id"),
	CONSTRAINT "rating_in_scale" CHECK ("product"."rating" between 0 and 5),
	CONSTRAINT "review_count_not_negative" CHECK ("product"."review_count" >= 0)
);
--> statement-breakpoint
CREATE TABLE "product_override" (
	"product_id" integer PRIMARY KEY NOT NULL,
	"badge" text,
	"description" text,
	"place" smallint,
	"visible" boolean,
	"shipping_surcharge" jsonb,
	"restrictions" jsonb,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "product_picture" (
	"product_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"view" text NOT NULL,
	"color" text,
	"file" text NOT NULL,
	"widths" integer[] NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	CONSTRAINT "product_picture_product_id_position_pk" PRIMARY KEY("product_id","position")
);
--> statement-breakpoint
CREATE TABLE "provider_event" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"about" text GENERATED ALWAYS AS (coalesce(payload->>'paymentIntent', payload->>'paymentId', payload->>'externalId')) STORED,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "provider_event_provider_eventId_unique" UNIQUE("provider","event_id")
);
--> statement-breakpoint
CREATE TABLE "provider_payout" (
	"provider" text NOT NULL,
	"payout_id" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"booked_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	CONSTRAINT "provider_payout_provider_payout_id_pk" PRIMARY KEY("provider","payout_id"),
	CONSTRAINT "provider_payout_status_known" CHECK ("provider_payout"."status" in ('under_way', 'paid', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "provider_reading" (
	"provider" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	"under" jsonb,
	"read_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "provider_transaction" (
	"provider" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"payment_key" text,
	"source_id" text,
	"checkout_id" uuid,
	"occurred_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_transaction_provider_id_pk" PRIMARY KEY("provider","id"),
	CONSTRAINT "provider_transaction_kind_known" CHECK ("provider_transaction"."kind" in ('charge', 'refund', 'dispute', 'fee', 'adjustment', 'payout'))
);
--> statement-breakpoint
CREATE TABLE "rate_count" (
	"name" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reconciliation" (
	"id" serial PRIMARY KEY NOT NULL,
	"trigger" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"payments" integer DEFAULT 0 NOT NULL,
	"partner_orders" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_code" (
	"user_id" integer NOT NULL,
	"code_hash" text NOT NULL,
	CONSTRAINT "recovery_code_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "refund" (
	"id" serial PRIMARY KEY NOT NULL,
	"payment_key" text NOT NULL,
	"order_id" integer,
	"provider_refund_id" text,
	"amount_cents" bigint NOT NULL,
	"parts" jsonb,
	"pieces" jsonb,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"source" text DEFAULT 'shop' NOT NULL,
	"pays_refund_id" integer,
	"reference" text,
	"tax_reversal_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"booked_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	CONSTRAINT "refund_providerRefundId_unique" UNIQUE("provider_refund_id"),
	CONSTRAINT "refund_paysRefundId_unique" UNIQUE("pays_refund_id"),
	CONSTRAINT "refund_positive" CHECK ("refund"."amount_cents" > 0),
	CONSTRAINT "refund_source_known" CHECK ("refund"."source" in ('shop', 'provider'))
);
--> statement-breakpoint
CREATE TABLE "second_factor" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"switched_on_at" timestamp with time zone,
	"last_step" integer
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer,
	"handle" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed_in_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"device" text,
	"former_user_id" integer
);
--> statement-breakpoint
CREATE TABLE "setting" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipment" (
	"id" bigint PRIMARY KEY NOT NULL,
	"order_id" integer NOT NULL,
	"carrier" text NOT NULL,
	"service" text NOT NULL,
	"tracking_number" text,
	"tracking_url" text,
	"reshipment" boolean DEFAULT false NOT NULL,
	"items" jsonb NOT NULL,
	"shipped_at" timestamp with time zone NOT NULL,
	"delivered_at" timestamp with time zone,
	"returned_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "shop_exception" (
	"id" integer PRIMARY KEY DEFAULT nextval('payment_exception_id_seq') NOT NULL,
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"order_id" integer,
	"amount_cents" bigint NOT NULL,
	"cause" text NOT NULL,
	"deadline_at" timestamp with time zone,
	"facts" jsonb,
	"opened_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "shop_exception_amount_not_negative" CHECK ("shop_exception"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "shop_order" (
	"id" serial PRIMARY KEY NOT NULL,
	"order_number" text NOT NULL,
	"checkout_id" uuid NOT NULL,
	"payment_key" text NOT NULL,
	"session_id" text NOT NULL,
	"payment_status" text NOT NULL,
	"fulfilment_status" text NOT NULL,
	"attention_reason" text,
	"terms_version" text,
	"terms_accepted_at" timestamp with time zone,
	"currency" text DEFAULT 'usd' NOT NULL,
	"subtotal_cents" bigint NOT NULL,
	"shipping_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"vat_protection_cents" bigint NOT NULL,
	"total_cents" bigint NOT NULL,
	"shipping_method" text DEFAULT '' NOT NULL,
	"shipping_surcharges" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"customer_email" text NOT NULL,
	"customer_name" text NOT NULL,
	"customer_phone" text,
	"tax_number" text,
	"shipping_address" jsonb NOT NULL,
	"billing_address" jsonb,
	"collection" text NOT NULL,
	"external_id" text NOT NULL,
	"printful_order_id" bigint,
	"partner_tried_at" timestamp with time zone,
	"held_at" timestamp with time zone,
	"partner_asked_at" timestamp with time zone,
	"partner_cost_cents" bigint,
	"tax_evidence" jsonb,
	"tax_report" text DEFAULT 'waiting' NOT NULL,
	"tax_transaction_id" text,
	"tracking_notification_sent" boolean DEFAULT false NOT NULL,
	"delivery_notification_sent" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"erased_at" timestamp with time zone,
	CONSTRAINT "shop_order_orderNumber_unique" UNIQUE("order_number"),
	CONSTRAINT "shop_order_checkoutId_unique" UNIQUE("checkout_id"),
	CONSTRAINT "shop_order_paymentKey_unique" UNIQUE("payment_key"),
	CONSTRAINT "shop_order_externalId_unique" UNIQUE("external_id"),
	CONSTRAINT "shop_order_printfulOrderId_unique" UNIQUE("printful_order_id"),
	CONSTRAINT "shop_order_taxTransactionId_unique" UNIQUE("tax_transaction_id"),
	CONSTRAINT "order_tax_report_known" CHECK ("shop_order"."tax_report" in ('waiting', 'reported', 'not_reported')),
	CONSTRAINT "order_total_adds_up" CHECK ("shop_order"."total_cents" = "shop_order"."subtotal_cents" + "shop_order"."shipping_cents" + "shop_order"."tax_cents" + "shop_order"."vat_protection_cents"),
	CONSTRAINT "order_amounts_not_negative" CHECK ("shop_order"."subtotal_cents" >= 0 and "shop_order"."shipping_cents" >= 0 and "shop_order"."tax_cents" >= 0 and "shop_order"."vat_protection_cents" >= 0),
	CONSTRAINT "order_currency_usd" CHECK ("shop_order"."currency" = 'usd'),
	CONSTRAINT "order_payment_status_known" CHECK ("shop_order"."payment_status" in ('paid', 'partially_refunded', 'refunded', 'disputed')),
	CONSTRAINT "order_fulfilment_status_known" CHECK ("shop_order"."fulfilment_status" in ('waiting', 'submitted', 'in_production', 'partially_shipped', 'shipped', 'delivered', 'on_hold', 'needs_attention', 'cancelled', 'returned'))
);
--> statement-breakpoint
CREATE TABLE "subscriber" (
	"id" serial PRIMARY KEY NOT NULL,
	"name" text,
	"email" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"left_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "subscriber_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "subscriber_access" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"subscriber_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_word" (
	"provider" text NOT NULL,
	"field" text NOT NULL,
	"word" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_word_provider_field_word_pk" PRIMARY KEY("provider","field","word")
);
--> statement-breakpoint
CREATE TABLE "variant" (
	"id" bigint PRIMARY KEY NOT NULL,
	"product_id" integer NOT NULL,
	"catalog_variant_id" bigint NOT NULL,
	"blank_id" bigint,
	"position" smallint NOT NULL,
	"name" text NOT NULL,
	"color" text,
	"size" text,
	"sku" text,
	"unit_price_cents" bigint NOT NULL,
	"cost_cents" bigint,
	"availability" text NOT NULL,
	"preview_url" text,
	"gone_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "variant_price_positive" CHECK ("variant"."unit_price_cents" > 0),
	CONSTRAINT "variant_cost_not_negative" CHECK ("variant"."cost_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "wallet_order" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" uuid NOT NULL,
	"quote_hash" text NOT NULL,
	"attempt" integer NOT NULL,
	"refusals" integer DEFAULT 0 NOT NULL,
	"refusal" jsonb,
	"capture_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"look_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "account_link" ADD CONSTRAINT "account_link_request_id_account_request_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."account_request"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_request" ADD CONSTRAINT "account_request_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_click" ADD CONSTRAINT "affiliate_click_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "affiliate_link" ADD CONSTRAINT "affiliate_link_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attribution" ADD CONSTRAINT "attribution_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_request" ADD CONSTRAINT "call_request_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "card_decline" ADD CONSTRAINT "card_decline_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_line" ADD CONSTRAINT "cart_line_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_line" ADD CONSTRAINT "cart_line_variant_id_variant_id_fk" FOREIGN KEY ("variant_id") REFERENCES "public"."variant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_change" ADD CONSTRAINT "catalog_change_sync_id_catalog_sync_id_fk" FOREIGN KEY ("sync_id") REFERENCES "public"."catalog_sync"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "catalog_change" ADD CONSTRAINT "catalog_change_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat" ADD CONSTRAINT "chat_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_message" ADD CONSTRAINT "chat_message_chat_id_chat_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chat"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_version" ADD CONSTRAINT "checkout_version_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_link_id_affiliate_link_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."affiliate_link"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_payout_id_payout_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commission_entry" ADD CONSTRAINT "commission_entry_of_line" FOREIGN KEY ("order_id","position") REFERENCES "public"."order_line"("order_id","position") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_answer" ADD CONSTRAINT "contact_answer_message_id_contact_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute" ADD CONSTRAINT "dispute_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_posting_id_ledger_posting_id_fk" FOREIGN KEY ("posting_id") REFERENCES "public"."ledger_posting"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_posting" ADD CONSTRAINT "ledger_posting_partner_id_app_user_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listed_product" ADD CONSTRAINT "listed_product_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail" ADD CONSTRAINT "mail_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_access" ADD CONSTRAINT "order_access_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_correction" ADD CONSTRAINT "order_correction_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_line" ADD CONSTRAINT "order_line_variant_id_variant_id_fk" FOREIGN KEY ("variant_id") REFERENCES "public"."variant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_note" ADD CONSTRAINT "order_note_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_step" ADD CONSTRAINT "order_step_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_viewer" ADD CONSTRAINT "order_viewer_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_viewer" ADD CONSTRAINT "order_viewer_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner" ADD CONSTRAINT "partner_id_app_user_id_fk" FOREIGN KEY ("id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_application" ADD CONSTRAINT "partner_application_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_proposal" ADD CONSTRAINT "partner_proposal_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_rate" ADD CONSTRAINT "partner_rate_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_rate" ADD CONSTRAINT "partner_rate_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment" ADD CONSTRAINT "payment_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exception" ADD CONSTRAINT "payment_exception_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_exception" ADD CONSTRAINT "payment_exception_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_start" ADD CONSTRAINT "payment_start_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout" ADD CONSTRAINT "payout_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_account" ADD CONSTRAINT "payout_account_partner_id_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partner"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_override" ADD CONSTRAINT "product_override_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_picture" ADD CONSTRAINT "product_picture_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund" ADD CONSTRAINT "refund_pays_refund_id_refund_id_fk" FOREIGN KEY ("pays_refund_id") REFERENCES "public"."refund"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_former_user_id_app_user_id_fk" FOREIGN KEY ("former_user_id") REFERENCES "public"."app_user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipment" ADD CONSTRAINT "shipment_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_exception" ADD CONSTRAINT "shop_exception_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shop_order" ADD CONSTRAINT "shop_order_payment_key_payment_payment_key_fk" FOREIGN KEY ("payment_key") REFERENCES "public"."payment"("payment_key") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriber_access" ADD CONSTRAINT "subscriber_access_subscriber_id_subscriber_id_fk" FOREIGN KEY ("subscriber_id") REFERENCES "public"."subscriber"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "variant" ADD CONSTRAINT "variant_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_order" ADD CONSTRAINT "wallet_order_checkout_id_checkout_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkout"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_link_request_id_index" ON "account_link" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "account_request_user_id_kind_created_at_index" ON "account_request" USING btree ("user_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "account_request_expires_at_index" ON "account_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "affiliate_click_link_id_clicked_at_index" ON "affiliate_click" USING btree ("link_id","clicked_at");--> statement-breakpoint
CREATE INDEX "affiliate_click_clicked_at_index" ON "affiliate_click" USING btree ("clicked_at");--> statement-breakpoint
CREATE INDEX "affiliate_link_partner_id_id_index" ON "affiliate_link" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "attribution_partner_id_frozen_at_index" ON "attribution" USING btree ("partner_id","frozen_at");--> statement-breakpoint
CREATE INDEX "attribution_link_id_index" ON "attribution" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "call_request_user_id_index" ON "call_request" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "call_request_waiting" ON "call_request" USING btree ("created_at","id") WHERE "call_request"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "call_request_one_waiting" ON "call_request" USING btree ("user_id") WHERE "call_request"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "card_decline_checkout_id_index" ON "card_decline" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "card_decline_payer_declined_at_index" ON "card_decline" USING btree ("payer","declined_at");--> statement-breakpoint
CREATE INDEX "card_decline_declined_at_index" ON "card_decline" USING btree ("declined_at");--> statement-breakpoint
CREATE INDEX "cart_line_variant_id_index" ON "cart_line" USING btree ("variant_id");--> statement-breakpoint
CREATE INDEX "catalog_change_sync_id_index" ON "catalog_change" USING btree ("sync_id");--> statement-breakpoint
CREATE INDEX "catalog_change_remembered" ON "catalog_change" USING btree ("product_id") WHERE "catalog_change"."state" in ('waiting', 'declined', 'reverted');--> statement-breakpoint
CREATE INDEX "catalog_sync_started_at_index" ON "catalog_sync" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "chat_waiting" ON "chat" USING btree ("waiting_since","id") WHERE "chat"."waiting_since" is not null;--> statement-breakpoint
CREATE INDEX "chat_message_chat_id_id_index" ON "chat_message" USING btree ("chat_id","id");--> statement-breakpoint
CREATE INDEX "chat_message_unmailed" ON "chat_message" USING btree ("chat_id") WHERE "chat_message"."mailed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "one_open_checkout_per_session" ON "checkout" USING btree ("session_id") WHERE "checkout"."state" = 'open';--> statement-breakpoint
CREATE INDEX "checkout_session_id_index" ON "checkout" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "checkout_open_since" ON "checkout" USING btree ("updated_at") WHERE "checkout"."state" = 'open';--> statement-breakpoint
CREATE INDEX "checkout_version_of_somebody" ON "checkout_version" USING btree ("frozen_at") WHERE frozen->'customer'->>'email' <> '';--> statement-breakpoint
CREATE INDEX "checkout_version_of_person" ON "checkout_version" USING btree (lower("frozen"->'customer'->>'email'));--> statement-breakpoint
CREATE INDEX "commission_entry_partner_id_booked_at_id_index" ON "commission_entry" USING btree ("partner_id","booked_at","id");--> statement-breakpoint
CREATE INDEX "commission_entry_link_id_booked_at_index" ON "commission_entry" USING btree ("link_id","booked_at");--> statement-breakpoint
CREATE INDEX "commission_entry_payout_id_index" ON "commission_entry" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "commission_entry_unpaid" ON "commission_entry" USING btree ("partner_id","approved_from") WHERE "commission_entry"."payout_id" is null;--> statement-breakpoint
CREATE INDEX "contact_answer_message_id_index" ON "contact_answer" USING btree ("message_id");--> statement-breakpoint
CREATE INDEX "contact_message_created_at_index" ON "contact_message" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "contact_message_waiting" ON "contact_message" USING btree ("created_at","id") WHERE "contact_message"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "data_request_email_index" ON "data_request" USING btree ("email");--> statement-breakpoint
CREATE INDEX "data_request_expires_at_index" ON "data_request" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "dispute_order_id_index" ON "dispute" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "dispute_payment_key_index" ON "dispute" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "ledger_posting_order_id_index" ON "ledger_posting" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ledger_posting_payment_key_index" ON "ledger_posting" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "ledger_posting_partner_id_index" ON "ledger_posting" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "ledger_posting_booked_at_index" ON "ledger_posting" USING btree ("booked_at");--> statement-breakpoint
CREATE INDEX "listed_product_listing_key_product_id_index" ON "listed_product" USING btree ("listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_collection_listing_key_product_id_index" ON "listed_product" USING btree ("collection","listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_collection_type_listing_key_product_id_index" ON "listed_product" USING btree ("collection","type","listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_type_listing_key_product_id_index" ON "listed_product" USING btree ("type","listing_key","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_collection_lowest_price_cents_product_id_index" ON "listed_product" USING btree ("collection","lowest_price_cents","product_id");--> statement-breakpoint
CREATE INDEX "listed_product_facets_index" ON "listed_product" USING gin ("facets");--> statement-breakpoint
CREATE INDEX "mail_with_words" ON "mail" USING btree ("created_at") WHERE "mail"."text_part" <> '';--> statement-breakpoint
CREATE INDEX "mail_of_person" ON "mail" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "mail_unsent" ON "mail" USING btree ("created_at") WHERE "mail"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "mail_bounced" ON "mail" USING btree ("created_at") WHERE "mail"."state" = 'bounced';--> statement-breakpoint
CREATE INDEX "order_access_order_id_index" ON "order_access" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_correction_order_id_index" ON "order_correction" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "correction_of_email" ON "order_correction" USING btree (lower("before"->>'email'));--> statement-breakpoint
CREATE INDEX "order_line_variant_id_index" ON "order_line" USING btree ("variant_id");--> statement-breakpoint
CREATE INDEX "order_line_product_id_index" ON "order_line" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "order_note_order_id_index" ON "order_note" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_step_order_id_index" ON "order_step" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "order_viewer_order_id_index" ON "order_viewer" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "owner_action_about_kind_about_id_index" ON "owner_action" USING btree ("about_kind","about_id");--> statement-breakpoint
CREATE INDEX "partner_application_user_id_index" ON "partner_application" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "partner_application_waiting" ON "partner_application" USING btree ("created_at","id") WHERE "partner_application"."state" = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "partner_application_one_waiting" ON "partner_application" USING btree ("user_id") WHERE "partner_application"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "partner_rate_partner_id_starts_at_index" ON "partner_rate" USING btree ("partner_id","starts_at");--> statement-breakpoint
CREATE INDEX "partner_rate_product_id_index" ON "partner_rate" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "payment_checkout_id_index" ON "payment" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "payment_without_fee" ON "payment" USING btree ("captured_at") WHERE "payment"."fee_cents" is null;--> statement-breakpoint
CREATE INDEX "payment_captured_at_index" ON "payment" USING btree ("captured_at");--> statement-breakpoint
CREATE INDEX "payment_exception_order_id_index" ON "payment_exception" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_start_unpaid" ON "payment_start" USING btree ("payer","started_at") WHERE "payment_start"."paid_at" is null;--> statement-breakpoint
CREATE INDEX "payment_start_paid" ON "payment_start" USING btree ("payer","paid_at") WHERE "payment_start"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "payment_start_started_at_index" ON "payment_start" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "payout_partner_id_made_at_index" ON "payout" USING btree ("partner_id","made_at");--> statement-breakpoint
CREATE INDEX "payout_made_at_index" ON "payout" USING btree ("made_at");--> statement-breakpoint
CREATE INDEX "partner_order_external_id_index" ON "partner_order" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "partner_order_created_at_index" ON "partner_order" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "product_collection_index" ON "product" USING btree ("collection");--> statement-breakpoint
CREATE INDEX "product_surcharged" ON "product" USING btree ("type") WHERE ("product"."metadata"->'shippingSurcharge'->'enabled')::boolean;--> statement-breakpoint
CREATE INDEX "provider_event_about_index" ON "provider_event" USING btree ("about");--> statement-breakpoint
CREATE INDEX "provider_payout_created_at_index" ON "provider_payout" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "provider_transaction_payment_key_index" ON "provider_transaction" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "provider_transaction_occurred_at_provider_id_index" ON "provider_transaction" USING btree ("occurred_at","provider","id");--> statement-breakpoint
CREATE INDEX "provider_transaction_provider_source_id_index" ON "provider_transaction" USING btree ("provider","source_id");--> statement-breakpoint
CREATE INDEX "rate_count_until_index" ON "rate_count" USING btree ("until");--> statement-breakpoint
CREATE INDEX "reconciliation_started_at_index" ON "reconciliation" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "refund_payment_key_index" ON "refund" USING btree ("payment_key");--> statement-breakpoint
CREATE INDEX "refund_order_id_index" ON "refund" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "session_of_user" ON "session" USING btree ("user_id") WHERE "session"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "session_of_former_user" ON "session" USING btree ("former_user_id") WHERE "session"."former_user_id" is not null;--> statement-breakpoint
CREATE INDEX "session_seen_at_index" ON "session" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "session_created_at_index" ON "session" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "shipment_order_id_index" ON "shipment" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shop_exception_open_once" ON "shop_exception" USING btree ("kind","about") WHERE "shop_exception"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "shop_exception_open" ON "shop_exception" USING btree ("id") WHERE "shop_exception"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "shop_exception_order_id_index" ON "shop_exception" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "shop_order_created_at_id_index" ON "shop_order" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "shop_order_fulfilment_status_created_at_id_index" ON "shop_order" USING btree ("fulfilment_status","created_at","id");--> statement-breakpoint
CREATE INDEX "order_not_just_paid" ON "shop_order" USING btree ("payment_status","created_at","id") WHERE "shop_order"."payment_status" <> 'paid';--> statement-breakpoint
CREATE INDEX "order_by_wallet" ON "shop_order" USING btree ("created_at","id") WHERE "shop_order"."payment_key" like 'paypal:%';--> statement-breakpoint
CREATE INDEX "order_email_alike" ON "shop_order" USING gin ("customer_email" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "order_name_alike" ON "shop_order" USING gin ("customer_name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "shop_order_session_id_index" ON "shop_order" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "order_of_email" ON "shop_order" USING btree (lower("customer_email"),"id");--> statement-breakpoint
CREATE INDEX "order_sums" ON "shop_order" USING btree ("created_at","total_cents","tax_cents");--> statement-breakpoint
CREATE INDEX "order_not_submitted" ON "shop_order" USING btree ("created_at") WHERE "shop_order"."fulfilment_status" = 'waiting';--> statement-breakpoint
CREATE INDEX "order_with_partner" ON "shop_order" USING btree ("partner_asked_at") WHERE "shop_order"."fulfilment_status" in ('submitted', 'in_production', 'partially_shipped', 'shipped', 'on_hold', 'needs_attention', 'delivered', 'returned');--> statement-breakpoint
CREATE INDEX "order_tax_not_reported" ON "shop_order" USING btree ("created_at") WHERE "shop_order"."tax_report" = 'waiting';--> statement-breakpoint
CREATE INDEX "subscriber_access_subscriber_id_index" ON "subscriber_access" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "variant_product_id_position_index" ON "variant" USING btree ("product_id","position");--> statement-breakpoint
CREATE INDEX "variant_blank_id_index" ON "variant" USING btree ("blank_id");--> statement-breakpoint
CREATE INDEX "wallet_order_checkout_id_quote_hash_index" ON "wallet_order" USING btree ("checkout_id","quote_hash");--> statement-breakpoint
CREATE INDEX "wallet_order_to_look_at" ON "wallet_order" USING btree ("look_at") WHERE "wallet_order"."look_at" is not null;
--> statement-breakpoint
-- Written by hand from here on: drizzle-kit does not generate this.
-- Columns for the search, maintained by the database. schema.ts does not name them, so nothing else loads them.
ALTER TABLE product ADD COLUMN search_words tsvector GENERATED ALWAYS AS (
  setweight(to_tsvector('english', name), 'A') ||
  setweight(to_tsvector('english', replace(type, '-', ' ') || ' ' || collection), 'B') ||
  setweight(to_tsvector('english', jsonb_path_query_array(colors, '$[*].name')), 'B') ||
  setweight(to_tsvector('english', description), 'C')
) STORED;
--> statement-breakpoint
ALTER TABLE product ADD COLUMN search_names text GENERATED ALWAYS AS (
  lower(name || ' ' || replace(type, '-', ' ') || ' ' || collection || ' ' || jsonb_path_query_array(colors, '$[*].name')::text)
) STORED;
--> statement-breakpoint
-- Counters may be lost in a crash of the server; their windows last an hour at most.
ALTER TABLE "rate_count" SET UNLOGGED;
--> statement-breakpoint
-- The ledger is append-only. The embedded database has one user, so a trigger enforces it instead of rights.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: book a posting that reverses it';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_posting_append_only BEFORE UPDATE OR DELETE ON ledger_posting
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
-- A posting whose entries do not sum to zero cannot be committed.
CREATE FUNCTION check_posting_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE total bigint;
BEGIN
  SELECT coalesce(sum(amount_cents), 0) INTO total FROM ledger_entry WHERE posting_id = NEW.posting_id;
  IF total <> 0 THEN
    RAISE EXCEPTION 'posting % does not balance: its entries sum to %', NEW.posting_id, total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_posting_balances();
--> statement-breakpoint
-- The same rule as domain/orders/status.ts; a test compares them for every pair of states.
CREATE FUNCTION order_status(payment_status text, fulfilment_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN payment_status = 'refunded' THEN CASE fulfilment_status WHEN 'returned' THEN 'returned' ELSE 'refunded' END
    WHEN fulfilment_status = 'waiting' THEN CASE payment_status WHEN 'partially_refunded' THEN 'partially_refunded' ELSE 'paid' END
    WHEN payment_status = 'partially_refunded' AND fulfilment_status = 'delivered' THEN 'partially_refunded'
    ELSE fulfilment_status
  END
$$;
--> statement-breakpoint
CREATE VIEW audit_orders AS
  SELECT id, order_number, checkout_id, payment_key, order_status(payment_status, fulfilment_status) AS status,
         payment_status, fulfilment_status, currency, subtotal_cents, shipping_cents, tax_cents, vat_protection_cents,
         total_cents, external_id, printful_order_id, customer_email, created_at, updated_at
  FROM shop_order;
--> statement-breakpoint
CREATE VIEW audit_lines AS
  SELECT order_id, product_id, variant_id, quantity, unit_price_cents FROM order_line;
--> statement-breakpoint
CREATE VIEW audit_payments AS
  SELECT p.payment_key, p.provider, p.payment_id, p.status, p.amount_cents, p.currency, p.live, p.checkout_id, o.id AS order_id
  FROM payment p LEFT JOIN shop_order o ON o.payment_key = p.payment_key;
--> statement-breakpoint
CREATE VIEW audit_refunds AS
  SELECT id, payment_key, provider_refund_id, amount_cents, status, created_at FROM refund;
--> statement-breakpoint
CREATE VIEW audit_ledger AS
  SELECT e.posting_id, e.account, e.amount_cents, p.order_id, p.payment_key, p.partner_id, p.booked_at
  FROM ledger_entry e JOIN ledger_posting p ON p.id = e.posting_id;
--> statement-breakpoint
CREATE VIEW audit_events AS
  SELECT provider, event_id, type, received_at, processed_at, outcome FROM provider_event;
--> statement-breakpoint
CREATE VIEW audit_mails AS
  SELECT id, kind, recipient, order_id, state, sent_at FROM mail;
--> statement-breakpoint
CREATE INDEX product_search_words ON product USING gin (search_words);
--> statement-breakpoint
CREATE INDEX product_search_names ON product USING gin (search_names gin_trgm_ops);
--> statement-breakpoint
-- A checkout that was offered to the wallet alone names its latest wallet order.
CREATE OR REPLACE VIEW audit_checkouts AS
  SELECT c.id, c.created_at, c.state, c.currency, c.subtotal_cents, c.shipping_cents, c.surcharge_cents, c.tax_cents,
         c.vat_protection_cents, c.total_cents, c.country,
         coalesce(c.provider, CASE WHEN w.id IS NOT NULL THEN 'paypal' END) AS provider,
         coalesce(c.provider_payment_id, w.id) AS provider_payment_id, o.id AS order_id
  FROM checkout c
  LEFT JOIN shop_order o ON o.checkout_id = c.id
  LEFT JOIN LATERAL (
    SELECT id FROM wallet_order WHERE checkout_id = c.id AND c.provider IS NULL ORDER BY created_at DESC LIMIT 1
  ) w ON true;
--> statement-breakpoint
-- The log of owner actions is append-only. The embedded database has one user, so a trigger enforces it instead of rights.
CREATE FUNCTION refuse_action_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of actions is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER owner_action_append_only BEFORE UPDATE OR DELETE ON owner_action
  FOR EACH ROW EXECUTE FUNCTION refuse_action_change();
--> statement-breakpoint
-- Only exceptions without an order have a payment_key: auditors count each payment as an order or an exception.
CREATE OR REPLACE VIEW audit_exceptions AS
  SELECT id, kind, payment_key, order_id, amount_cents, opened_at, resolved_at FROM payment_exception
  UNION ALL
  SELECT id, kind, NULL, order_id, amount_cents, opened_at, resolved_at FROM shop_exception;
--> statement-breakpoint
-- Every instance caches pages and public responses; a committed change to their data notifies all instances, once per transaction.
-- Columns that only a catalog synchronization writes are not shown, so they do not notify.
CREATE FUNCTION notify_page_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pages_changed', '');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_is_shown AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF
  id, slug, name, description, collection, type, badge, rating, review_count, metadata, requires_options,
  provider_product_id, colors, visible, place
  ON product FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
CREATE TRIGGER variant_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON variant FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
CREATE TRIGGER picture_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON product_picture FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
CREATE TRIGGER copied_picture_is_shown AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
  ON copied_picture FOR EACH STATEMENT EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
CREATE TRIGGER content_is_shown AFTER INSERT OR UPDATE
  ON setting FOR EACH ROW WHEN (new.name = 'content') EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
CREATE TRIGGER content_is_taken_back AFTER DELETE
  ON setting FOR EACH ROW WHEN (old.name = 'content') EXECUTE FUNCTION notify_page_change();
--> statement-breakpoint
-- What lists show of each product. Order as in domain/catalog/listing-order.ts, price ranges and colors as in
-- domain/catalog/facets.ts; a test compares them.
CREATE VIEW product_as_listed AS
  SELECT p.id AS product_id, p.collection, p.type,
         (lpad(coalesce(p.place, 99999)::text, 5, '0') ||
          CASE p.type WHEN 'vented-hat' THEN '0' WHEN 'hat' THEN '1' WHEN 'visor' THEN '2' WHEN 't-shirt' THEN '3'
                      WHEN 'polo' THEN '3' WHEN 'mug' THEN '4' WHEN 'water-bottle' THEN '5' WHEN 'pillow' THEN '6'
                      WHEN 'tote' THEN '7' ELSE '8' END ||
          lower(p.name) || chr(1) || p.name) COLLATE "C" AS listing_key,
         v.lowest_price_cents, v.available,
         ARRAY['all', 'type:' || p.type,
               CASE WHEN v.lowest_price_cents < 2000 THEN 'price:0-20' WHEN v.lowest_price_cents < 3000 THEN 'price:20-30'
                    WHEN v.lowest_price_cents < 5000 THEN 'price:30-50' ELSE 'price:50-' END]
           || coalesce(v.colors, '{}') || CASE WHEN cardinality(v.sizes) > 1 THEN v.sizes ELSE '{}' END AS facets
  FROM product p CROSS JOIN LATERAL (
    SELECT coalesce(min(unit_price_cents) FILTER (WHERE availability = 'active'), min(unit_price_cents)) AS lowest_price_cents,
           bool_or(availability = 'active') AS available,
           array_agg(DISTINCT 'color:' || split_part(color, ' with ', 1)) FILTER (WHERE color IS NOT NULL) AS colors,
           array_agg(DISTINCT 'size:' || size) FILTER (WHERE size IS NOT NULL) AS sizes
    FROM variant WHERE product_id = p.id AND gone_at IS NULL HAVING count(*) > 0) v
  WHERE p.visible;
--> statement-breakpoint
CREATE FUNCTION relist_products(ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF ids IS NULL THEN RETURN; END IF;
  -- Waits for a concurrent change of the same product, then sees it.
  PERFORM 1 FROM product WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  DELETE FROM listed_product l
    WHERE product_id = ANY (ids) AND NOT EXISTS (SELECT 1 FROM product_as_listed s WHERE s.product_id = l.product_id);
  INSERT INTO listed_product AS l (product_id, collection, type, listing_key, lowest_price_cents, available, facets)
    SELECT product_id, collection, type, listing_key, lowest_price_cents, available, facets
    FROM product_as_listed WHERE product_id = ANY (ids)
    ON CONFLICT (product_id) DO UPDATE SET collection = excluded.collection, type = excluded.type,
      listing_key = excluded.listing_key, lowest_price_cents = excluded.lowest_price_cents, available = excluded.available,
      facets = excluded.facets
    WHERE (l.collection, l.type, l.listing_key, l.lowest_price_cents, l.available, l.facets)
      IS DISTINCT FROM
      (excluded.collection, excluded.type, excluded.listing_key, excluded.lowest_price_cents, excluded.available, excluded.facets);
END $$;
--> statement-breakpoint
CREATE FUNCTION list_changed_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM relist_products((SELECT array_agg(id) FROM new_rows));
  ELSE
    PERFORM relist_products((
      SELECT array_agg(n.id) FROM new_rows n JOIN old_rows o USING (id)
      WHERE (n.collection, n.type, n.name, n.place, n.visible, n.colors)
        IS DISTINCT FROM (o.collection, o.type, o.name, o.place, o.visible, o.colors)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION list_products_of_changed_variants() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM relist_products((SELECT array_agg(DISTINCT product_id) FROM new_rows));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM relist_products((SELECT array_agg(DISTINCT product_id) FROM old_rows));
  ELSE
    PERFORM relist_products((
      SELECT array_agg(DISTINCT moved.id) FROM new_rows n JOIN old_rows o USING (id)
        CROSS JOIN LATERAL (VALUES (n.product_id), (o.product_id)) AS moved (id)
      WHERE (n.product_id, n.unit_price_cents, n.availability, n.color, n.size, n.gone_at)
        IS DISTINCT FROM (o.product_id, o.unit_price_cents, o.availability, o.color, o.size, o.gone_at)));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_listed AFTER INSERT ON product
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_changed_products();
--> statement-breakpoint
CREATE TRIGGER product_relisted AFTER UPDATE ON product
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_changed_products();
--> statement-breakpoint
CREATE TRIGGER variant_listed AFTER INSERT ON variant
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
CREATE TRIGGER variant_relisted AFTER UPDATE ON variant
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
CREATE TRIGGER variant_not_listed AFTER DELETE ON variant
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION list_products_of_changed_variants();
--> statement-breakpoint
-- The swatch of a color, from the catalog file.
CREATE FUNCTION dye_of(product_id integer, facet text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT dye->>'hex' FROM product p, jsonb_array_elements(p.colors) dye
  WHERE p.id = $1 AND $2 LIKE 'color:%' AND split_part(dye->>'name', ' with ', 1) = substr($2, 7)
  ORDER BY dye->>'name' <> substr($2, 7) LIMIT 1
$$;
--> statement-breakpoint
CREATE FUNCTION count_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM facet_count;
    RETURN NULL;
  END IF;
  -- In a fixed order, so that two transactions cannot deadlock.
  IF TG_OP <> 'INSERT' THEN
    UPDATE facet_count c SET count = c.count - gone.count FROM (
      SELECT collection, facet, count(*) AS count FROM old_rows, unnest(facets) facet
      GROUP BY collection, facet ORDER BY collection, facet) gone
    WHERE c.collection = gone.collection AND c.facet = gone.facet;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO facet_count AS kept (collection, facet, hex, count)
      SELECT collection, facet, dye_of(min(product_id), facet), count(*) FROM new_rows, unnest(facets) facet
      GROUP BY collection, facet ORDER BY collection, facet
      ON CONFLICT (collection, facet) DO UPDATE SET count = kept.count + excluded.count,
        hex = coalesce(excluded.hex, kept.hex);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER listed_product_counted AFTER INSERT ON listed_product
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_recounted AFTER UPDATE ON listed_product
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_not_counted AFTER DELETE ON listed_product
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
CREATE TRIGGER listed_product_emptied AFTER TRUNCATE ON listed_product
  FOR EACH STATEMENT EXECUTE FUNCTION count_facets();
--> statement-breakpoint
-- Trigram indexes for searching parts of words.
CREATE INDEX product_search_letters ON product USING gin (lower(name || ' ' || description) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX product_type ON product (type);
