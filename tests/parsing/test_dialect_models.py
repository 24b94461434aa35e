"""Which dialects a model is likely to write, by its name."""

from __future__ import annotations

import pytest

from react_agent.parsing.dialects import for_model

LIKELIEST = {
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": "qwen3_coder",
    "qwen3.5-35b-a3b": "qwen3_coder",
    "qwen2.5-coder:7b": "fenced_json",
    "qwen2.5:0.5b": "hermes",
    "Qwen/Qwen2-7B-Instruct": "qwen_flower",
    "Qwen1.5-14B-Chat": "qwen_flower",
    "QwQ-32B": "hermes",
    "NousResearch_Hermes-2-Pro-Llama-3-70B": "hermes",
    "teknium/OpenHermes-2.5-Mistral-7B": "hermes",
    "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B": "deepseek_v3",
    "deepseek-r1:14b": "deepseek_v3",
    "DeepSeek-V3-0324": "deepseek_v3",
    "deepseek-ai/DeepSeek-V3.1": "deepseek_v31",
    "deepseek-v3.2-exp": "deepseek_dsml",
    "THUDM/glm-4-9b-chat": "glm4_plain",
    "zai-org/GLM-4.5-Air": "glm45",
    "glm-5": "glm45",
    "chatglm3-6b": "chatglm3",
    "moonshotai/Kimi-K2-Instruct": "kimi_k2",
    "MiniMax-M2.1": "minimax_m2",
    "MiniMaxAI/MiniMax-M1-80k": "minimax_m1",
    "mistralai/Mistral-7B-Instruct-v0.3": "mistral_old",
    "mistral-small-3.2": "mistral_v11",
    "/models/devstral-small-q4_k_m.gguf": "mistral_v11",
    "meta-llama/Llama-3.1-8B-Instruct": "llama3_json",
    "llama3.2:1b": "pythonic",
    "meta-llama_Meta-Llama-3-8B-Instruct": "llama3_json",
    "Llama-4-Scout-17B-16E": "pythonic",
    "Llama-3_3-Nemotron-Super-49B-v1": "nemotron",
    "Salesforce/Llama-xLAM-2-8b-fc-r": "xlam",
    "openai/gpt-oss-20b": "harmony",
    "c4ai-command-r-plus": "cohere_r",
    "command-a-03-2025": "cohere_a",
    "c4ai-command-r7b-12-2024": "cohere_a",
    "ibm-granite/granite-3.1-8b-instruct": "granite",
    "granite4:micro": "hermes",
    "google/functiongemma-270m-it": "functiongemma",
    "gemma-3-27b-it": "gemma_tool_code",
    "tencent/Hunyuan-A13B-Instruct": "hunyuan",
    "ByteDance-Seed/Seed-OSS-36B-Instruct": "seed_oss",
    "stepfun-ai/step3": "step3",
    "allenai/Olmo-3-7B-Instruct": "olmo3",
    "LiquidAI/LFM2-1.2B": "lfm2",
}


@pytest.mark.parametrize(("model", "dialect"), LIKELIEST.items(), ids=LIKELIEST)
def test_likeliest(model: str, dialect: str) -> None:
    assert for_model(model)[0] == dialect


@pytest.mark.parametrize("name", ["", "my-model", "gpt-4o-2024-08-06", "codellama-x", "x" * 10_000])
def test_a_name_that_says_nothing(name: str) -> None:
    assert for_model(name) == ()
