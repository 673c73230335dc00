"""Names of SillyTavern 1.19's settings that have no bearing on the text of a prompt; they may be given all the same."""

from __future__ import annotations

from typing import Final

OTHER_CHAT_SETTINGS: Final = frozenset({
    "preset_settings_openai", "temp_openai", "freq_pen_openai", "pres_pen_openai", "top_p_openai", "top_k_openai",
    "min_p_openai", "top_a_openai", "repetition_penalty_openai", "stream_openai", "openai_max_context",
    "openai_max_tokens", "bias_preset_selected", "bias_presets", "openai_model", "claude_model", "custom_model",
    "custom_url", "custom_include_body", "custom_exclude_body", "custom_include_headers", "google_model",
    "vertexai_model", "ai21_model", "mistralai_model", "cohere_model", "perplexity_model", "groq_model",
    "nanogpt_model", "deepseek_model", "xai_model", "aimlapi_model", "pollinations_model", "moonshot_model",
    "fireworks_model", "openrouter_model", "openrouter_use_fallback", "openrouter_providers",
    "openrouter_allow_fallbacks", "openrouter_middleout", "reverse_proxy", "max_context_unlocked",
    "show_external_models", "proxy_password", "assistant_impersonation", "vertexai_auth_mode", "vertexai_region",
    "vertexai_express_project_id", "media_inlining", "inline_image_quality", "bypass_status_check",
    "function_calling", "show_thoughts", "reasoning_effort", "verbosity", "enable_web_search",
    "request_images", "seed", "n", "azure_base_url", "siliconflow_model", "electronhub_model", "extensions",
    "cometapi_model", "zai_model", "bind_preset_to_connection",
})  # fmt: skip

OTHER_USER_SETTINGS: Final = frozenset({
    "show_user_prompt_bias", "tokenizer", "trim_sentences", "single_line", "trim_spaces", "custom_stopping_strings",
    "custom_stopping_strings_macro", "continue_on_send", "encode_tags", "disable_group_trimming", "auto_continue",
    "auto_fix_generated_markdown", "chat_truncation", "max_context_unlocked", "smooth_streaming",
    "markdown_escape_strings", "allow_name1_display", "allow_name2_display", "forbid_external_media",
    "console_log_prompts", "request_token_probabilities", "relaxed_api_urls", "confirm_message_delete",
    "restore_user_input", "quick_continue", "quick_impersonate",
})  # fmt: skip
