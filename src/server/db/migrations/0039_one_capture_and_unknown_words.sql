CREATE TABLE "provider_word" (
	"provider" text NOT NULL,
	"field" text NOT NULL,
	"word" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "provider_word_provider_field_word_pk" PRIMARY KEY("provider","field","word")
);
--> statement-breakpoint
ALTER TABLE "wallet_order" ADD COLUMN "refusal" jsonb;--> statement-breakpoint
ALTER TABLE "wallet_order" ADD COLUMN "capture_until" timestamp with time zone;